"""adversarial.csv: a few images that attacks made, beside what they were made from."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from trainmark.analyse.run import rows
from trainmark.analyse.run.recording import Run
from trainmark.runs.kept_arrays import ADVERSARIAL, is_whole
from trainmark.study.stages import ATTACK

EXAMPLES = 2  # of an attack in a case
KINDS = ("original", "adversarial")
COLUMNS = (*rows.RUN, "attack", "epsilon", "image", "label", "taken_for", "shape", *KINDS)


def tabulate(runs: Iterable[Run]) -> pd.DataFrame:
    """A row for each example of each attack, of the first run of a case that has kept its images.

    Columns: those of a run; attack; epsilon, its largest, if it takes one; the
    image's number in the test split, its class and its class after the attack; the shape "C H
    W", and the pixels (0 to 1) of both images, as text with a space between two.
    """
    first: dict[str, Run] = {}
    for run in runs:
        if run.job["stage"] == ATTACK and run.folder and is_whole(run.folder / ADVERSARIAL):
            first.setdefault(run.job["case"], run)
    described = [
        rows.describe(run) | row
        for run in first.values()
        if run.folder
        for row in _examples(run.folder / ADVERSARIAL)
    ]
    return pd.DataFrame(described, columns=list(COLUMNS))


def read(path: Path) -> pd.DataFrame:
    """Read adversarial.csv."""
    return rows.read(path, "shape", *KINDS)


def _examples(path: Path) -> Iterator[dict[str, Any]]:
    """The first images that were recognised before and aren't any more, of each attack."""
    with np.load(path) as kept:
        arrays = dict(kept)
    labels, before = arrays["labels"], arrays["logits"].argmax(axis=1)
    shape = " ".join(map(str, arrays["images"].shape[1:]))
    last = {str(name): position for position, name in enumerate(arrays["attacks"])}
    for name, position in last.items():
        after = arrays["found_logits"][position].argmax(axis=1)
        for image in np.flatnonzero((before == labels) & (after != labels))[:EXAMPLES]:
            both = arrays["images"][image], arrays["found"][position][image]
            epsilon = float(arrays["epsilons"][position])
            yield {
                "attack": name,
                "epsilon": None if np.isnan(epsilon) else epsilon,
                "image": int(image),
                "label": int(labels[image]),
                "taken_for": int(after[image]),
                "shape": shape,
                **dict(zip(KINDS, map(_text, both), strict=True)),
            }


def _text(image: np.ndarray) -> str:
    return " ".join(f"{pixel:.4f}" for pixel in image.ravel())
