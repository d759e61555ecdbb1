"""Sweeps: metrics along a setting with several values in a case, such as the batch size."""

import math

import numpy as np
import pandas as pd

from trainmark.analyse.compare.configurations import configurations
from trainmark.study.axes import CONFIGURATION

STAGE = "train"
METRICS = ("training_speed", "cpu_memory", "own_cpu", "gpu_memory")


def along(measurements: pd.DataFrame, setting: str) -> pd.DataFrame:
    """One row per metric and training configuration with a value, in ascending order of `setting`.

    Only cases with several values of the setting have rows. Columns: those of a configuration,
    machine, disturbed (runs), metric and mean.
    """
    trained = measurements[measurements["stage"] == STAGE]
    varied = trained[trained.groupby("case")[setting].transform("nunique") > 1]
    columns = [*CONFIGURATION, "machine", "disturbed", "metric", "mean"]
    parts = [
        configurations(varied, metric).assign(metric=metric).reindex(columns=columns)
        for metric in METRICS
    ]
    table = pd.concat(parts, ignore_index=True).dropna(subset="mean").astype({"mean": float})
    numbers = pd.to_numeric(table[setting], errors="coerce").fillna(math.inf)  # all threads last
    order = np.lexsort([numbers.to_numpy(), pd.factorize(table["case"])[0]])
    return table.iloc[order].reset_index(drop=True)
