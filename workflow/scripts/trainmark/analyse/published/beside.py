"""Published values beside ours of the same cell: framework, network, images, batch and precision.

Images are of one data set, or generated like it. Devices are those of each machine: a single device
is beside a single one of any kind, and several beside as many.
"""

import pandas as pd

from trainmark.analyse.compare.configurations import main_values
from trainmark.analyse.published.result_sets import (
    SAME_NETWORK,
    SPEEDS,
    measurements,
    other_networks,
)
from trainmark.analyse.published.studies import published
from trainmark.study import axes, datasets
from worker import devices

STUDIES = ("thesis", "latency")
"""The published studies whose cells are those of our studies."""
CELL = ["framework", "network", "images", "stage", "precision", "batch_size", "device_count"]
"""Rows of ours and of published values that agree in these columns are of one cell."""
THEIRS = {
    "study": "published_study",
    "machine_name": "published_set",
    "machine": "published_machine",
    "device": "published_device",
    "value": "published",
    "remark": "differs",
}
"""The columns of a published value beside ours."""
COMPARED = [*axes.ALL_BUT_FRAMEWORK, "published_set", "published_device"]
"""Rows that agree in these columns show frameworks of one case on two machines."""


def beside(ours: pd.DataFrame) -> pd.DataFrame:
    """One row per configuration of ours and published value of the same cell.

    Takes measurements. Columns: those of `main_values`; THEIRS, where `differs` says what is known
    to differ; impossible, why the value isn't of our network, or None; why_none, why there is no
    ratio, or None; ratio, ours / published; and share and published_share, the speed as a share of
    the fastest framework's on the same machine, among those that have a ratio, if they are several.
    Configurations of whose cell nothing is published aren't in it.
    """
    table = _with_cells(main_values(ours)).merge(_theirs(), on=CELL)
    missing = table["remark"].where(table["n"] == 0)
    why_none = table["impossible"].fillna(missing)
    speeds = table[["mean", "published"]].astype(float)
    compared = speeds.where(why_none.isna())
    alike = compared.groupby([table[name] for name in COMPARED], sort=False)
    shares = (compared / alike.transform("max")).where(alike.transform("count") > 1)
    return table.drop(columns=["images", "device_count"]).assign(
        why_none=why_none,
        ratio=compared["mean"] / compared["published"],
        share=shares["mean"],
        published_share=shares["published"],
    )


def _theirs() -> pd.DataFrame:
    """The published speeds: CELL, THEIRS and `impossible`, why a value isn't of our network."""
    tables = [_possible(measurements(published(name))) for name in STUDIES]
    columns = [*CELL, *THEIRS.values(), "impossible"]
    return _with_cells(pd.concat(tables, ignore_index=True)).rename(columns=THEIRS)[columns]


def _possible(table: pd.DataFrame) -> pd.DataFrame:
    """The speeds of a published study with `impossible`, why they aren't of our network, or NaN."""
    impossible = other_networks(table).rename(columns={"why": "impossible"})
    speeds = table[table["metric"].isin(SPEEDS)].dropna(subset="value")
    return speeds.merge(impossible, how="left", on=SAME_NETWORK)


def _with_cells(table: pd.DataFrame) -> pd.DataFrame:
    images = {name: _images(name) for name in table["dataset"].unique()}
    counts = {name: devices.parts(name)[1] for name in table["device"].unique()}
    return table.assign(
        images=table["dataset"].map(images),
        device_count=table["device"].map(counts),
    )


def _images(dataset: str) -> str:
    return datasets.origin(dataset).removeprefix(f"{datasets.SYNTHETIC}-")
