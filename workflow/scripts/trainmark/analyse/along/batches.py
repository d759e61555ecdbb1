"""Latency and speed of prediction by batch size."""

import pandas as pd

from trainmark.analyse.compare.configurations import configurations
from trainmark.study.axes import CONFIGURATION

STAGE = "infer"


def by_batch(measurements: pd.DataFrame) -> pd.DataFrame:
    """One row per configuration of stage infer that has both numbers, by rising batch size.

    Columns: those of a configuration, machine, disturbed (runs), and the means over the repeats of
    latency (median, ms) and speed (images/s).
    """
    chosen = measurements[measurements["stage"] == STAGE]
    columns = [*CONFIGURATION, "machine", "disturbed", "mean"]
    latency, speed = (
        configurations(chosen, metric).reindex(columns=columns)
        for metric in ("latency_p50", "inference_speed")
    )
    table = latency.rename(columns={"mean": "latency"}).assign(speed=speed["mean"])
    valued = table.dropna(subset=["latency", "speed"])
    return valued.sort_values("batch_size", kind="stable", ignore_index=True)
