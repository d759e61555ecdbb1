"""The parity matrix: how far each framework is from the reference in each case."""

import pandas as pd

from trainmark.analyse.configurations import configurations
from trainmark.analyse.measurements import CONFIGURATION


def matrix(measurements: pd.DataFrame) -> pd.DataFrame:
    """One row per configuration: its worst parity error over all repeats, or why there is none.

    Columns: those of a configuration, machine, error (relative), status and remark.
    """
    found = configurations(measurements, "parity_error")
    worst = found.filter(regex=r"^run_\d+$").astype(float).max(axis="columns")
    facts = found[[*CONFIGURATION, "machine", "status", "remark"]]
    order = ["network", "case", "framework"]
    return facts.assign(error=worst).sort_values(order, kind="stable", ignore_index=True)
