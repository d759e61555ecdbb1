"""The tables that a study's tables and figures are made from, by the name of a plug-in's SOURCE."""

from collections.abc import Callable
from pathlib import Path

import pandas as pd

from trainmark.analyse import adversarial, latencies, measurements

READERS: dict[str, Callable[[Path], pd.DataFrame]] = {
    "measurements": measurements.read,
    "steps": measurements.read,
    "accuracies": measurements.read,
    "losses": measurements.read,
    "corruptions": measurements.read,
    "disagreements": measurements.read,
    "latencies": latencies.read,
    "attacks": measurements.read,
    "adversarial": adversarial.read,
}


def read(path: Path) -> pd.DataFrame:
    """Read one of them, which its file's name tells."""
    return READERS[path.stem](path)


def write_parquet(table: pd.DataFrame, path: Path) -> None:
    """Write a table as Parquet, with no index."""
    import fastparquet  # here, as each table and figure would wait for it

    fastparquet.write(str(path), table, write_index=False)
