"""The calls of all repeats of each configuration together."""

import numpy as np
import pandas as pd

from trainmark.analyse.compare.configurations import summarise_runs
from trainmark.study.axes import CONFIGURATION

FACTS = ("machine", "status", "remark", "disturbed", "n")
"""The columns of `summarise_runs` that a table shows beside latencies."""


def of_configurations(latencies: pd.DataFrame) -> pd.DataFrame:
    """One row per configuration, in their order, with the calls of all its repeats in one array.

    Columns: those of a configuration, FACTS, first_milliseconds (mean) and milliseconds.
    """
    first = summarise_runs(latencies.assign(value=latencies["first_milliseconds"]))
    table = first[[*CONFIGURATION, *FACTS]].assign(first_milliseconds=first["mean"].astype(float))
    calls = latencies.groupby(list(CONFIGURATION), sort=False)["milliseconds"]
    together = [np.concatenate([np.empty(0), *of_runs]) for _, of_runs in calls]
    return table.assign(milliseconds=pd.Series(together, table.index, dtype=object))
