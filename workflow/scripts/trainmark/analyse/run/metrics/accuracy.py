"""Accuracy on the test split, and the time to test and to reach it."""

import math
from collections.abc import Iterator
from typing import NamedTuple

from trainmark.analyse.run.metric import metric
from trainmark.analyse.run.recording import Absent, Run
from worker import networks


class Evaluation(NamedTuple):
    """Accuracy in percent of the test split after some steps and the seconds of training them."""

    steps: int
    seconds: float  # without evaluations
    top1: float
    top5: float


@metric(
    title="Top-1 accuracy",
    unit="%",
    number_format="{:.2f}",
    higher_is_better=True,
    highest=100,
)
def accuracy_top1(run: Run) -> float:
    """Share of the test split's images whose class is the first answer.

    Percent of the whole test split; raises Absent where the run evaluated nothing.
    """
    return _evaluated(run, "top1")


@metric(
    title="Top-5 accuracy",
    unit="%",
    number_format="{:.2f}",
    higher_is_better=True,
    highest=100,
)
def accuracy_top5(run: Run) -> float:
    """Share of the test split's images whose class is among the first five answers.

    Percent of the whole test split; raises Absent where the run evaluated nothing.
    """
    return _evaluated(run, "top5")


@metric(
    title="Bits per byte",
    unit="bits",
    number_format="{:.3f}",
    higher_is_better=False,
)
def bits_per_byte(run: Run) -> float:
    """Mean cross entropy of the test split's bytes after softmax, by the logarithm to base 2.

    Each window of the data set is read on its own, so that its first bytes have little before them.
    Bits; raises Absent where the run evaluated nothing, and where the network is no language model.
    """
    if not networks.is_language_model(run.job["network"]):
        raise Absent(f"{run.job['network']} is no language model")
    return _evaluated(run, "loss") / math.log(2)


@metric(
    title="Testing time",
    unit="s",
    number_format="{:,.2f}",
    higher_is_better=False,
)
def testing_time(run: Run) -> float:
    """Predicting the whole test split after training, its reading included.

    Seconds; raises Absent where the run evaluated nothing.
    """
    return _evaluated(run, "seconds")


MISSED = "top-1 accuracy reached"
"""The beginning of the reason why a run has no time to its target."""


@metric(
    title="Time to accuracy",
    unit="s",
    number_format="{:,.2f}",
    higher_is_better=False,
    stages=("train",),
)
def time_to_accuracy(run: Run) -> float:
    """Training until the first evaluation at or above the accuracy that the case asks for.

    Seconds, without evaluations; raises Absent without a target, or where it isn't reached.
    """
    points, target = list(evaluations(run)), run.target_accuracy
    if target is None:
        raise Absent("the case asks for no target_accuracy")
    for point in points:
        if point.top1 >= target:
            return float(point.seconds)
    best = max(point.top1 for point in points)
    raise Absent(f"{MISSED} {best:.2f} % in {points[-1].steps:,} steps, not {target:g} %")


def _evaluated(run: Run, quantity: str) -> float:
    """Return a number of the evaluation event; raises Absent where there was none."""
    _require_setting(run, "evaluate", "evaluation")
    value = run.event("evaluation").get(quantity)
    if value is None:
        raise Absent(f"the evaluation has no {quantity}")
    return float(value)


def evaluations(run: Run) -> Iterator[Evaluation]:
    """The accuracies while training went on; raises Absent where none was measured."""
    _require_setting(run, "evaluate_every", "evaluations while it trains (evaluate_every)")
    if "accuracies" not in run.events:
        raise Absent("the framework's own program trains without a stop for evaluations")
    event = run.event("accuracies")
    for values in zip(*(event[name] for name in Evaluation._fields), strict=True):
        yield Evaluation(*values)


def _require_setting(run: Run, setting: str, what: str) -> None:
    if not run.job[setting]:
        cut = "the run was cut short"
        raise Absent(cut if run.loses_evaluation else f"the case asks for no {what}")
