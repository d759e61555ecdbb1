"""What a setting that has several values in a case, such as the batch size, does to its runs."""

import pandas as pd

from trainmark.analyse.across.configurations import configurations
from trainmark.study.axes import CONFIGURATION

STAGE = "train"
METRICS = ("training_speed", "cpu_memory", "own_cpu", "gpu_memory")


def along(measurements: pd.DataFrame, setting: str) -> pd.DataFrame:
    """One row per metric and training configuration that has a value, by rising setting.

    Of the cases that have several values of the setting. Columns: those of a configuration,
    machine, disturbed (runs), metric and mean.
    """
    trained = measurements[measurements["stage"] == STAGE]
    several = trained.groupby("case")[setting].transform("nunique") > 1
    columns = [*CONFIGURATION, "machine", "disturbed", "metric", "mean"]
    parts = [
        configurations(trained[several], metric).assign(metric=metric).reindex(columns=columns)
        for metric in METRICS
    ]
    found = pd.concat(parts, ignore_index=True).dropna(subset="mean").astype({"mean": float})
    places = {"of_case": pd.factorize(found["case"])[0]}
    ordered = found.assign(**places).sort_values(["of_case", setting], kind="stable")
    return ordered.drop(columns="of_case").reset_index(drop=True)
