"""Default settings: what each framework makes of its own, and of those of others.

A setting is the default of a framework (`default_of`) for one network. Its cases on a data set, say
one for each seed, are put together, so that a mean and its interval are over all of their runs.
"""

import pandas as pd

from trainmark.analyse.compare.configurations import run_columns, summarise_runs
from trainmark.study import datasets

OUTCOMES = ("accuracy_top1", "training_time")
STATISTICS = ("mean", "median", "standard_deviation", "half_width")


def of_settings(measurements: pd.DataFrame, metric: str) -> pd.DataFrame:
    """One row per setting, data set, framework and point of the axes, with one metric's statistics.

    Columns: those of `configurations` without those of single runs; `dataset` is the one that its
    variants are made of, and `case` what tells the setting on it from others. Also metric,
    default_of, and is_own, whether it is the framework's own default.
    """
    labelled = measurements[measurements["metric"] == metric].dropna(subset="default_of")
    origins = {name: datasets.origin(name) for name in labelled["dataset"].unique()}
    names = labelled["dataset"].map(origins)
    settings = labelled["default_of"] + " " + labelled["network"] + " " + names
    owners = dict(zip(settings, labelled["default_of"], strict=True))
    table = summarise_runs(labelled.assign(case=settings, dataset=names))
    if table.empty:
        return table
    table = table.drop(columns=run_columns(table))
    table = table.astype(dict.fromkeys(STATISTICS, float))
    owner = table["case"].map(owners)
    return table.assign(metric=metric, default_of=owner, is_own=table["framework"] == owner)


def outcomes(measurements: pd.DataFrame) -> pd.DataFrame:
    """`of_settings` of accuracy and training time, the metrics by which settings are judged."""
    return pd.concat([of_settings(measurements, metric) for metric in OUTCOMES], ignore_index=True)
