"""The time that frameworks train until they reach their case's accuracy, and what they reach."""

import pandas as pd

from trainmark.analyse.compare.configurations import in_its_stages, with_metrics
from trainmark.analyse.compare.pairs import advantage, verdict
from trainmark.analyse.run.metrics.accuracy import MISSED
from trainmark.study.axes import ALL_BUT_FRAMEWORK

METRIC = "time_to_accuracy"
BESIDE = ("training_speed", "accuracy_top1")
"""The metrics beside the time."""


def time_to_accuracy(measurements: pd.DataFrame) -> pd.DataFrame:
    """One row per configuration of a case with a target_accuracy, the fastest of a case first.

    Columns: those of `configurations` for METRIC (n: the runs that reached the accuracy) and
    metric; of BESIDE each mean and half width; and ratio, how many times as long as the fastest
    framework of the same settings it takes, low and high (its 95 % interval) and verdict, None for
    the fastest itself and for a configuration without a time.
    """
    timed = in_its_stages(measurements, METRIC)
    table = with_metrics(timed, measurements, BESIDE, ("mean", "half_width"))
    has_target = (table["n"] > 0) | table["remark"].str.contains(MISSED, na=False)
    cases = table.loc[has_target, "case"].unique()
    wanted = table[table["case"].isin(cases)].assign(metric=METRIC)
    groups = [_compared(group) for _, group in wanted.groupby(list(ALL_BUT_FRAMEWORK), sort=False)]
    return pd.concat(groups, ignore_index=True) if groups else wanted.assign(**NOTHING)


NOTHING = {"ratio": None, "low": None, "high": None, "verdict": None}


def _compared(group: pd.DataFrame) -> pd.DataFrame:
    """The rows of one point in the order of their means, each beside the first."""
    ordered = group.sort_values("mean", na_position="last", ignore_index=True)
    fastest = ordered.iloc[0]
    rows = [
        _beside(row, fastest) if number and row["n"] else NOTHING
        for number, row in ordered.iterrows()
    ]
    return ordered.join(pd.DataFrame(rows, index=ordered.index))


def _beside(row: pd.Series, fastest: pd.Series) -> dict[str, object]:
    slower = verdict(advantage(row, fastest))
    return {**vars(advantage(fastest, row)), "verdict": slower}
