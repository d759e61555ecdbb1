"""disagreements.csv: test images that models of 8 bits take for something else than the trainer.

Of the first repeat alone, and of a case's first machine: each has weights of its own.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from trainmark.analyse.measurements import machine
from trainmark.analyse.run.recording import Run
from trainmark.data.read import chunks
from trainmark.study import datasets
from worker import precisions

PREDICTIONS = "predictions.npz"
MOST_IMAGES = 24
"""Of a study: each of its cases has an equal part."""
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


def tabulate(runs: Mapping[str, Run]) -> pd.DataFrame:
    """One row per image, those first on which most models of 8 bits differ; runs by their folder.

    Columns: study, case, machine, trained_by, image (its number in the test split), label, answer
    (the class that the trainer gives in float32), other (the commonest class of those that differ),
    differing and models (of 8 bits, that differ and that there are), shape ("1x28x28") and pixels
    (uint8 in rows, channel by channel, as hexadecimal digits).
    """
    cases: dict[str, dict[str, Run]] = {}
    for folder, run in runs.items():
        if _is_quantised(run) and Path(folder, PREDICTIONS).exists():
            cases.setdefault(run.job["case"], {})[folder] = run
    share = MOST_IMAGES // max(1, len(cases))
    rows = [row for found in cases.values() for row in _of_case(found, share)]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _is_quantised(run: Run) -> bool:
    is_kept = run.record["status"] == "ok" and run.job["repeat"] == 1
    return is_kept and run.job["precision"] in precisions.QUANTISED


def _of_case(runs: Mapping[str, Run], most: int) -> Iterator[dict[str, Any]]:
    first = next(iter(runs.values()))
    own, labels = _answers(Path(first.job["trained"]).with_name(PREDICTIONS))
    name = first.job["machine_name"]
    folders = [folder for folder, run in runs.items() if run.job["machine_name"] == name]
    others = np.stack([_answers(Path(folder, PREDICTIONS))[0] for folder in folders])
    counts = (others != own).sum(axis=0)
    chosen = np.argsort(-counts, kind="stable")[:most]
    chosen = chosen[counts[chosen] > 0]
    images = _images(first.job, chosen)
    for image, pixels in zip(chosen, images, strict=True):
        differing = others[:, image][others[:, image] != own[image]]
        yield {
            **{name: first.job[name] for name in ("study", "case", "trained_by")},
            "machine": machine(first.record["provenance"]),
            "image": int(image),
            "label": int(labels[image]),
            "answer": int(own[image]),
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


def _images(job: Mapping[str, Any], numbers: Iterable[int]) -> list[np.ndarray]:
    """Images of the test split as they are stored, uint8 (C, H, W), from the data set's source."""
    name = job["dataset"]
    # results/data/<data set>/<format>/dataset.json, with its origin's source beside the data set
    source = Path(job["data"]).parents[2] / datasets.origin(name) / "source"
    stored = np.concatenate([images for images, _ in chunks.read(name, source, "test")])
    return [stored[number] for number in numbers]
