"""The recorded study as a folder of results, and packed."""

import shutil
import zipfile

import pandas as pd
from recorded import STUDY

from trainmark.analyse.compare.measured_otherwise import CHANGES
from trainmark.packed import archive
from trainmark.study.axes import KEY

ABOUT = {"External-Identifier": "recorded", "Bag-Software-Agent": "trainmark 0.1.0"}
RUN = "runs/lenet-digits/jax/cpu/float32/train-dataset/r1/run.json"
OTHERS = ["data_rate", "training_time", *(name for change in CHANGES for name in change.metrics)]
"""Metrics that need the data set, which no archive has, that only training has by now, or that are
measured otherwise."""
VALUE = [*KEY, "repeat", "metric"]


def written(recorded, parent):
    """The folder with its runs and these measurements, in a place."""
    folder = parent / "recorded"
    shutil.copytree(STUDY, folder)
    recorded.to_csv(folder / "measurements.csv", index=False)
    return folder


def pack(folder, path):
    """The archive of all files of a folder, at a path."""
    files = {str(file.relative_to(folder)): file for file in folder.rglob("*") if file.is_file()}
    archive.pack(files, ABOUT, path)
    return path


def unpack(path, folder):
    """Put the runs of an archive of a format, and their study, into a folder of its own."""
    with zipfile.ZipFile(path) as packed:
        packed.extractall(folder)
    shutil.move(next(folder.glob("*/data")), folder / "results" / "recorded")
    shutil.copy(path.with_name("study.yaml"), folder)
    return folder / "results" / "recorded"


def check_values(before, after):
    """The later of two tables of measurements has the values of the earlier one, but of OTHERS."""
    earlier, later = (table.set_index(VALUE)["value"] for table in (before, after))
    kept = earlier[~earlier.index.get_level_values("metric").isin(OTHERS)]
    pd.testing.assert_series_equal(later[kept.index], kept)
