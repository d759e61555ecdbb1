"""Accuracy and agreement on corrupted images, of all repeats of a configuration."""

from typing import Any

import pandas as pd

from trainmark.analyse.compare.statistics import mcnemar
from trainmark.analyse.csv.corruptions import COUNTS
from trainmark.analyse.trained import repeats
from trainmark.study.axes import CONFIGURATION

COLUMNS = (
    "machine",
    "status",
    "remark",
    "disturbed",
    "repeats",
    "n",
    "count",
    "top1",
    "change",
    "agreement",
    "logit_difference",
    "p_value",
)
"""The columns of a configuration and a kind of images."""


def of_configurations(table: pd.DataFrame) -> pd.DataFrame:
    """One row per configuration and kind of images, over all repeats.

    Columns: those of a configuration, corruption, machine, status ("ok" if any run was), remark,
    disturbed and repeats (runs), n (runs with values), count (images), top1 (mean), change (of top1
    from that of the framework that trained, in points, on the same images), agreement (percent of
    the images), logit_difference (the largest), and p_value: McNemar's test of the images gained
    and lost, as of one run with their mean numbers, since repeats predict the same images.
    """
    groups = table.groupby([*CONFIGURATION, "corruption"], sort=False)
    names = [*CONFIGURATION, "corruption"]
    rows = [dict(zip(names, key, strict=True)) | _together(runs) for key, runs in groups]
    return pd.DataFrame(rows, columns=[*names, *COLUMNS])


def _together(runs: pd.DataFrame) -> dict[str, Any]:
    valued = runs.dropna(subset="top1")
    count, same, gained, lost = (valued[name].mean() for name in COUNTS)
    return {
        **repeats.facts(runs),
        "n": len(valued),
        "count": count,
        "top1": valued["top1"].mean(),
        "change": 100 * (gained - lost) / count,
        "agreement": 100 * same / count,
        "logit_difference": valued["logit_difference"].max(),
        "p_value": mcnemar(gained, lost),
    }
