"""Roofline: each configuration's share of the best GFLOP/s in its study, and of the peak.

Source: Williams et al. 2009, Roofline: An Insightful Visual Performance Model for Multicore
Architectures. Both are measured on the same machine, not read from a data sheet: the best of all
frameworks, and the fastest products of matrices, of the machine itself before the runs or of a
framework as a case of the study.
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
    "The peak: the fastest products of matrices in the precision, with as many threads: of "
    "network matrix_products in any framework, in float32 on processors also of NumPy before the "
    "runs."
)
"""The meaning of the peak, for readers."""
ROOF = ["machine_name", "machine", "device", "precision"]
"""Configurations that agree in these columns are compared with the same best one."""
OF_MEMORY = ["machine_name", "machine", "device", "thread_count"]
"""Configurations that agree in these columns share the speed of memory."""
OF_PEAK = [*OF_MEMORY, "precision"]
"""Configurations that agree in these columns are compared with the same peak."""


def roofline(measurements: pd.DataFrame) -> pd.DataFrame:
    """One row per configuration.

    Columns: those of a configuration, machine, status, remark, disturbed, n, mean and half_width
    (GFLOP/s), intensity (FLOP/byte), best (GFLOP/s), best_framework, best_case, share (percent of
    the best, empty without a value), bandwidth (GB/s, of processors' memory), peak (GFLOP/s),
    is_above_peak, and peak_share (percent of the peak, empty above it).
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
    whole = beside_best.merge(_bandwidths(measurements), how="left", on=OF_MEMORY)
    whole = whole.merge(_peaks(measurements), how="left", on=OF_PEAK)
    peak_share = 100 * whole["mean"] / whole["peak"]
    is_above = peak_share > 100
    return whole.assign(
        share=100 * whole["mean"] / whole["best"],
        peak_share=peak_share.mask(is_above),
        is_above_peak=is_above,
    )


def _bandwidths(measurements: pd.DataFrame) -> pd.DataFrame:
    """The highest speeds of each machine's memory, by OF_MEMORY, in column bandwidth."""
    rows = measurements[_is_of_processors(measurements, "host_bandwidth")]
    return _highest(rows, OF_MEMORY, "bandwidth")


def _peaks(measurements: pd.DataFrame) -> pd.DataFrame:
    """The highest speeds of products of matrices, by OF_PEAK, in column peak."""
    is_network = measurements["network"] == "matrix_products"
    of_framework = is_network & (measurements["metric"] == "achieved_gflops")
    of_numpy = _is_of_processors(measurements, "host_gflops")
    precisions = measurements["precision"].mask(of_numpy, "float32")
    rows = measurements.assign(precision=precisions)[of_framework | of_numpy]
    return _highest(rows, OF_PEAK, "peak")


def _is_of_processors(measurements: pd.DataFrame, metric: str) -> pd.Series:
    """Which rows have a speed of the machine itself.

    Of device cpu alone: several processes or nodes share or add up cores.
    """
    return (measurements["metric"] == metric) & (measurements["device"] == "cpu")


def _highest(rows: pd.DataFrame, columns: list[str], name: str) -> pd.DataFrame:
    """The highest value of rows that agree in some columns; `name` is its column."""
    return rows.groupby(columns)["value"].max().astype(float).rename(name).reset_index()


def roofs(table: pd.DataFrame) -> pd.Series:
    """The name of each row's roof."""
    called: pd.Series = table["device"] + ", " + table["precision"]
    has_names = table["machine_name"].nunique() > 1
    return table["machine_name"] + ", " + called if has_names else called
