"""What becomes of a trained network in each framework and runtime, and in each form of it."""

import pandas as pd

from trainmark.analyse.across.configurations import configurations, main_values
from trainmark.analyse.across.statistics import mcnemar
from trainmark.study.axes import CONFIGURATION
from trainmark.study.stages import ATTACK, takes_trained

METRICS = (
    "accuracy_top1",
    "agreement",
    "logit_difference",
    "gained",
    "lost",
    "file_size",
    "load_time",
    "latency_first",
    "latency_p50",
    "latency_p99",
    "cpu_memory",
)

KEPT = [*CONFIGURATION, "machine", "status", "remark", "disturbed", "repeats"]


def with_trained_weights(measurements: pd.DataFrame) -> pd.DataFrame:
    """The measurements of what predicts with the weights of another run."""
    points = zip(measurements["stage"], measurements["input_mode"], strict=True)
    is_trained = [
        stage != ATTACK and takes_trained({"stage": stage, "input_mode": mode})
        for stage, mode in points
    ]
    return measurements[is_trained]


def migration(measurements: pd.DataFrame) -> pd.DataFrame:
    """One row per configuration that predicts with the weights of another run.

    Columns: those of a configuration, machine, status, remark, disturbed, repeats; of each of
    METRICS its mean and, behind its name and `_n`, the number of values; and `chance`, the
    probability of as many images gained or lost, or more, if both were equally good: McNemar's
    exact test on those of all repeats together.
    """
    trained = with_trained_weights(measurements)
    if trained.empty:
        return pd.DataFrame(columns=[*KEPT, *METRICS, "chance"])
    main = main_values(trained)
    table = main[KEPT].copy()
    for metric in METRICS:
        found = configurations(trained, metric).reindex(index=main.index, columns=["mean", "n"])
        table[metric] = found["mean"].astype(float)
        table[f"{metric}_n"] = found["n"].astype(float)
    sums = {name: table[name] * table[f"{name}_n"] for name in ("gained", "lost")}
    chances = [mcnemar(*pair) for pair in zip(sums["gained"], sums["lost"], strict=True)]
    table["chance"] = pd.Series(chances, table.index, dtype=float)
    return table
