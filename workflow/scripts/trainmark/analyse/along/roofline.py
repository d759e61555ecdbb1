"""Roofline: each configuration's share of the best GFLOP/s in its study, and of the peak.

Source: Williams et al. 2009, Roofline: An Insightful Visual Performance Model for Multicore
Architectures. Both are measured on the same machine, not read from a data sheet: the best of all
frameworks, and the highest speed of the machine itself before the runs.
"""

import pandas as pd

from trainmark.analyse.compare.configurations import configurations
from trainmark.study.axes import CONFIGURATION

OPERATIONS = (
    "GFLOP/s: multiply-adds of the network's layers, two operations each (training: of the forward "
    "and the backward pass); what a framework computes besides counts as nothing."
)
"""The meaning of GFLOP/s, for readers."""
INTENSITY = (
    "FLOP/byte: of a forward pass that moves each layer's input, weights and output once, in "
    "float32."
)
"""The meaning of FLOP/byte, for readers."""
PEAK = (
    "The peak: the fastest of NumPy's products of float32 matrices before the runs, with as many "
    "threads."
)
"""The meaning of the peak, for readers."""
ROOF = ["machine_name", "machine", "device", "precision"]
"""Configurations that agree in these columns are compared with the same best one."""
OF_HOST = ["machine_name", "machine", "device", "thread_count"]
"""Configurations that agree in these columns are compared with the same speed of the machine."""
HOST_METRICS = {"host_gflops": "peak", "host_bandwidth": "bandwidth"}
"""Metrics of the machine itself, and the columns that have their highest values."""


def roofline(measurements: pd.DataFrame) -> pd.DataFrame:
    """One row per configuration.

    Columns: those of a configuration, machine, status, remark, disturbed, n, mean and half_width
    (GFLOP/s), intensity (FLOP/byte), best (GFLOP/s), best_framework, best_case, share (percent of
    the best, empty without a value), bandwidth (GB/s, of processors' memory), peak (GFLOP/s, of
    processors in float32) and peak_share (percent of the peak).
    """
    facts, numbers = ["machine", "status", "remark", "disturbed", "n"], ["mean", "half_width"]
    table = configurations(measurements, "achieved_gflops")[[*CONFIGURATION, *facts, *numbers]]
    table = table.astype(dict.fromkeys(numbers, float))
    intensities = configurations(measurements, "arithmetic_intensity")["mean"].astype(float)
    valued = table.dropna(subset="mean").sort_values("mean", ascending=False)
    best = valued.drop_duplicates(ROOF)[[*ROOF, "mean", "framework", "case"]]
    names = {"mean": "best", "framework": "best_framework", "case": "best_case"}
    beside_best = table.assign(intensity=intensities).merge(
        best.rename(columns=names), how="left", on=ROOF
    )
    whole = beside_best.merge(_host_speeds(measurements), how="left", on=OF_HOST)
    whole["peak"] = whole["peak"].where(whole["precision"] == "float32")
    return whole.assign(
        share=100 * whole["mean"] / whole["best"], peak_share=100 * whole["mean"] / whole["peak"]
    )


def _host_speeds(measurements: pd.DataFrame) -> pd.DataFrame:
    """The highest speeds of each machine's processors and memory, by OF_HOST.

    Of device cpu alone: several processes or nodes share or add up cores.
    """
    is_host_metric = measurements["metric"].isin(HOST_METRICS)
    rows = measurements[is_host_metric & (measurements["device"] == "cpu")]
    highest = rows.groupby([*OF_HOST, "metric"])["value"].max().unstack("metric")
    columns = highest.reindex(columns=list(HOST_METRICS)).astype(float)
    return columns.rename(columns=HOST_METRICS).reset_index()


def roofs(table: pd.DataFrame) -> pd.Series:
    """The name of each row's roof."""
    called: pd.Series = table["device"] + ", " + table["precision"]
    has_names = table["machine_name"].nunique() > 1
    return table["machine_name"] + ", " + called if has_names else called
