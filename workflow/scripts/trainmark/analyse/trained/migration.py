"""Migration: the results of trained weights in other frameworks, in runtimes and in each form."""

import numpy as np
import pandas as pd

from trainmark.analyse.compare.configurations import configurations, main_values
from trainmark.analyse.compare.statistics import mcnemar, paired_change
from trainmark.study.axes import CONFIGURATION
from trainmark.study.stages import ATTACK, takes_trained

METRICS = (
    "accuracy_top1",
    "agreement",
    "logit_difference",
    "compared",
    "gained",
    "lost",
    "file_size",
    "load_time",
    "latency_first",
    "latency_p50",
    "latency_p99",
    "cpu_memory",
)

CHANGES = ("change", "low", "high", "p_value")

KEPT = [*CONFIGURATION, "machine", "status", "remark", "disturbed", "repeats"]


def with_trained_weights(measurements: pd.DataFrame) -> pd.DataFrame:
    """The measurements of runs that predict with the weights of another run."""
    points = list(zip(measurements["stage"], measurements["input_mode"], strict=True))
    is_trained = {
        (stage, mode): stage != ATTACK and takes_trained({"stage": stage, "input_mode": mode})
        for stage, mode in set(points)
    }
    return measurements.loc[[is_trained[point] for point in points]]


def migration(measurements: pd.DataFrame) -> pd.DataFrame:
    """One row per configuration that predicts with the weights of another run.

    Columns: those of a configuration, machine, status, remark, disturbed, repeats; for each of
    METRICS its mean and, under its name and `_n`, the number of values; `change` (the top-1
    accuracy minus that in the training framework, in points) with low and high, the ends of its
    95 % interval; and `p_value` (of McNemar's exact test: both are equally good). Repeats predict
    the same images, so interval and p-value are those of one run with the mean numbers of images.
    """
    trained = with_trained_weights(measurements)
    if trained.empty:
        return pd.DataFrame(columns=[*KEPT, *METRICS, *CHANGES])
    main = main_values(trained)
    table = main[KEPT].copy()
    for metric in METRICS:
        statistics = configurations(trained, metric).reindex(
            index=main.index, columns=["mean", "n"]
        )
        table[metric] = statistics["mean"].astype(float)
        table[f"{metric}_n"] = statistics["n"].astype(float)
    discordant = [table["gained"], table["lost"]]
    intervals = [paired_change(*each) for each in zip(*discordant, table["compared"], strict=True)]
    table[["change", "low", "high"]] = np.array(intervals, dtype=float)
    p_values = [mcnemar(*pair) for pair in zip(*discordant, strict=True)]
    table["p_value"] = pd.Series(p_values, table.index, dtype=float)
    return table
