"""telemetry.csv of a run, read into memory."""

import csv
from pathlib import Path

import numpy as np


def read(path: Path) -> dict[str, np.ndarray]:
    """The values of each column by its name, float64 (samples,); NaN where one wasn't read.

    Raises ValueError for a file without a header, or whose rows have other lengths; a run's digests
    show such damage before. pandas.read_csv takes three times as long for so few samples, and a
    study has many runs.
    """
    with path.open(newline="", encoding="utf-8") as file:
        names, *samples = csv.reader(file)
    cells = [[float(cell or "nan") for cell in sample] for sample in samples]
    columns = np.array(cells, dtype=float).reshape(-1, len(names)).T
    return dict(zip(names, columns, strict=True))
