"""Results of the evaluation after training, and of those while a further training went on."""

from collections.abc import Iterator
from typing import NamedTuple

from trainmark.analyse.run.recording import Absent, Run


class Point(NamedTuple):
    """Accuracy after so many steps, and the seconds that these took, without evaluations."""

    steps: int
    seconds: float
    top1: float  # percent of the test split, as the next
    top5: float


def evaluated(run: Run, quantity: str) -> float:
    """Return a number of the evaluation event; raises Absent where there was none."""
    _require(run, "evaluate", "evaluation")
    value = run.event("evaluation")[quantity]
    if value is None:
        raise Absent(f"the evaluation has no {quantity}")
    return float(value)


def learning(run: Run) -> Iterator[Point]:
    """The accuracies while training went on; raises Absent where none was measured."""
    _require(run, "evaluate_every", "evaluations while it trains (evaluate_every)")
    if "accuracies" not in run.events:
        raise Absent("the framework's own program trains without a stop for evaluations")
    found = run.event("accuracies")
    for point in zip(*(found[name] for name in Point._fields), strict=True):
        yield Point(*point)


def _require(run: Run, setting: str, what: str) -> None:
    if not run.job[setting]:
        cut = "the run was cut short"
        raise Absent(cut if run.loses_evaluation else f"the case asks for no {what}")
