"""Roofline: each configuration's share of the best GFLOP/s in its study on the same machine.

Source: Williams et al. 2009, Roofline: An Insightful Visual Performance Model for Multicore
Architectures. The roof is measured, not read from a data sheet: the best of all frameworks, since
one framework's product of two matrices may be slower than another's convolution.
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
ROOF = ["machine_name", "machine", "device", "precision"]
"""Configurations that agree in these columns are compared with the same best one."""


def roofline(measurements: pd.DataFrame) -> pd.DataFrame:
    """One row per configuration.

    Columns: those of a configuration, machine, status, remark, disturbed, n, mean and half_width
    (GFLOP/s), intensity (FLOP/byte), best (GFLOP/s), best_framework, best_case and share (percent
    of the best, empty without a value).
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
    return beside_best.assign(share=100 * beside_best["mean"] / beside_best["best"])


def roofs(table: pd.DataFrame) -> pd.Series:
    """The name of each row's roof."""
    called: pd.Series = table["device"] + ", " + table["precision"]
    has_names = table["machine_name"].nunique() > 1
    return table["machine_name"] + ", " + called if has_names else called
