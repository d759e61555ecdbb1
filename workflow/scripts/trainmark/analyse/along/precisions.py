"""Each configuration of a narrow precision beside the same one in float32."""

from typing import Any

import pandas as pd

from trainmark.analyse.compare.configurations import main_values
from trainmark.analyse.compare.pairs import compared
from trainmark.study.axes import CONFIGURATION

WIDE = "float32"
COLUMNS = [
    *CONFIGURATION,
    "machine",
    "metric",
    "status",
    "remark",
    "disturbed",
    "n",
    "mean",
    "half_width",
    "wide_mean",
    "wide_half_width",
    "wide_remark",
    "ratio",
    "low",
    "high",
]


def beside_float32(measurements: pd.DataFrame) -> pd.DataFrame:
    """One row per configuration whose precision isn't float32, by the main metric of its stage.

    Columns: COLUMNS, where ratio says how many times better it is than float32, with its 95 %
    interval; empty where either has no value. The disturbed runs are those of both; wide_remark is
    that of float32.
    """
    table = main_values(measurements)
    alike = [name for name in CONFIGURATION if name != "precision"]
    is_wide = table["precision"] == WIDE
    wide = {tuple(row[alike]): row for _, row in table[is_wide].iterrows()}
    rows = [
        {**row, **_beside(row, wide.get(tuple(row[alike])))}
        for _, row in table[~is_wide].iterrows()
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


def _beside(narrow: pd.Series, wide: pd.Series | None) -> dict[str, Any]:
    if wide is None:
        return {}
    facts = {
        "wide_remark": wide["remark"],
        "disturbed": narrow["disturbed"] + wide["disturbed"],
    }
    if not wide["n"]:
        return facts
    columns = {"wide_mean": wide["mean"], "wide_half_width": wide["half_width"], **facts}
    if not narrow["n"]:
        return columns
    return {**columns, **compared(narrow, wide)}
