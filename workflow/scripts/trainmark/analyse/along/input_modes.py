"""Comparison of input modes: how much reading and decoding slow down training."""

from typing import Any

import pandas as pd

from trainmark.analyse.compare.configurations import configurations, main_values, values
from trainmark.analyse.compare.pairs import advantage
from trainmark.study import axes
from trainmark.study.axes import CONFIGURATION

MODES = axes.values("input_mode")
ALIKE = [name for name in CONFIGURATION if name != "input_mode"]
TYPES: dict[str, Any] = {
    "status": object,
    "mean": float,
    "half_width": float,
    "n": "Int64",
    "disturbed": "Int64",
    "data_wait": float,
}
RATIO = ("ratio", "low", "high")


def input_modes(measurements: pd.DataFrame) -> pd.DataFrame:
    """One row per configurations that differ in the input mode alone.

    Columns: those of a configuration but for the mode, machine, metric (the main one), disturbed
    (runs of all modes), then <mode>_status, <mode>_mean, <mode>_half_width (of its 95 % interval),
    <mode>_n (values), <mode>_disturbed (runs) and <mode>_data_wait (mean) of each mode, empty where
    the study doesn't have it, and at last ratio (how many times better dataset is than synthetic),
    low and high (its 95 % interval), empty where one of the two has no value.
    """
    waits = configurations(measurements, "data_wait")["mean"]
    table = main_values(measurements).assign(data_wait=waits)
    rows = [_row(group) for _, group in table.groupby(ALIKE, sort=False)]
    types = {f"{mode}_{name}": of_type for mode in MODES for name, of_type in TYPES.items()}
    return pd.DataFrame(rows).astype({**types, **dict.fromkeys(RATIO, float)})


def _row(group: pd.DataFrame) -> dict[str, Any]:
    by_mode = group.set_index("input_mode").reindex(list(MODES)).T
    return {
        **group[[*ALIKE, "machine", "metric"]].iloc[0],
        "disturbed": group["disturbed"].sum(),
        **{f"{mode}_{name}": by_mode[mode][name] for mode in MODES for name in TYPES},
        **_ratio(by_mode["dataset"], by_mode["synthetic"]),
    }


def _ratio(dataset: pd.Series, synthetic: pd.Series) -> dict[str, float | None]:
    if not (values(dataset) and values(synthetic)):
        return dict.fromkeys(RATIO)
    return vars(advantage(dataset, synthetic))
