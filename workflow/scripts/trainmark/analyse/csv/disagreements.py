"""disagreements.csv: test images that quantised models classify differently from the trainer.

Of the first repeat alone, and of a case's first machine: each has weights of its own. Of stored
pixels alone: image files are no pictures of what a network was given.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from trainmark.analyse.run.hardware import hardware
from trainmark.analyse.run.recording import Run
from trainmark.analyse.run.rows import read as read_rows
from trainmark.data.read import chunks
from trainmark.runs.kept_arrays import PREDICTIONS, is_whole
from trainmark.study import datasets, paths
from worker import precisions

MOST_IMAGES = 24
"""The most images of a study, of which each case has an equal part."""
COLUMNS = (
    "study",
    "case",
    "machine",
    "trained_by",
    "image",
    "label",
    "answer",
    "other",
    "differing",
    "models",
    "shape",
    "pixels",
)


def tabulate(runs: Iterable[Run]) -> pd.DataFrame:
    """One row per image, those first on which most quantised models differ.

    Columns: study, case, machine, trained_by, image (its number in the test split), label, answer
    (the class that the trainer gives in float32), other (the commonest class of those that differ),
    differing and models (quantised, that differ and that there are), shape ("1x28x28") and pixels
    (uint8 in rows, channel by channel, as hexadecimal digits).
    """
    predicting = {run.folder: run for run in runs if run.folder and _has_predictions(run.folder)}
    cases: dict[str, dict[Path, Run]] = {}
    trainers: dict[str, Path] = {}
    for folder, run in predicting.items():
        if _is_quantised(run) and (trainer := _trainer(run, predicting)):
            cases.setdefault(run.job["case"], {})[folder] = run
            trainers.setdefault(run.job["case"], trainer)
    share = max(1, MOST_IMAGES // max(1, len(cases)))
    rows = [row for case, group in cases.items() for row in _of_case(group, trainers[case], share)]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def read(path: Path) -> pd.DataFrame:
    """Read disagreements.csv."""
    return read_rows(path, "shape", "pixels")


def _has_predictions(folder: Path) -> bool:
    return is_whole(folder / PREDICTIONS)


def _is_quantised(run: Run) -> bool:
    is_kept = run.record["status"] == "ok" and run.job["repeat"] == 1
    is_stored = not datasets.facts(run.job["dataset"]).encoded
    return is_kept and is_stored and run.job["precision"] in precisions.QUANTISED


def _trainer(run: Run, folders: Iterable[Path]) -> Path | None:
    """The folder whose run trained the weights, even where results were moved since."""
    trained = Path(run.job["trained"]).parent.as_posix()
    return next((folder for folder in folders if trained.endswith(folder.as_posix())), None)


def _of_case(runs: Mapping[Path, Run], trainer: Path, most: int) -> Iterator[dict[str, Any]]:
    first = next(iter(runs.values()))
    trainer_answers, labels = _answers(trainer / PREDICTIONS)
    name = first.job["machine_name"]
    folders = [folder for folder, run in runs.items() if run.job["machine_name"] == name]
    others = np.stack([_answers(folder / PREDICTIONS)[0] for folder in folders])
    counts = (others != trainer_answers).sum(axis=0)
    chosen = np.argsort(-counts, kind="stable")[:most]
    chosen = chosen[counts[chosen] > 0]
    images = _images(first.job["dataset"], chosen)
    for image, pixels in zip(chosen, images, strict=True):
        differing = others[:, image][others[:, image] != trainer_answers[image]]
        yield {
            **{name: first.job[name] for name in ("study", "case", "trained_by")},
            "machine": hardware(first.record["provenance"]),
            "image": int(image),
            "label": int(labels[image]),
            "answer": int(trainer_answers[image]),
            "other": int(np.bincount(differing).argmax()),
            "differing": len(differing),
            "models": len(others),
            "shape": "x".join(map(str, pixels.shape)),
            "pixels": pixels.tobytes().hex(),
        }


def _answers(path: Path) -> tuple[np.ndarray, np.ndarray]:
    """The class that each image is given, and its label; both (n,)."""
    with np.load(path) as kept:
        return kept["logits"].argmax(axis=1), kept["labels"]


def _images(dataset: str, numbers: Iterable[int]) -> list[np.ndarray]:
    """Images of the test split as they are stored, uint8 (C, H, W), from the data set's source."""
    source = Path(paths.source_record(dataset)).with_name("source")
    stored = np.concatenate([images for images, _ in chunks.read(dataset, source, "test")])
    return [stored[number] for number in numbers]
