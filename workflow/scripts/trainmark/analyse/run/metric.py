"""What a metric is: a function of a run, and what is stated of it."""

from collections.abc import Callable, Sequence

from trainmark.analyse.run.recording import Run

Compute = Callable[[Run], float]


def metric(
    *,
    title: str,
    unit: str,
    number_format: str,
    higher_is_better: bool | None = None,
    highest: float | None = None,
    stages: Sequence[str] | None = None,
    proof: str | None = None,
) -> Callable[[Compute], Compute]:
    """Make a function a metric; its name is the metric's, its docstring the metric's definition.

    The function takes a run and returns the value in `unit`, or raises Absent with the reason. All
    arguments are literals: trainmark.study.plugins reads them without an import.

    Args:
        title: the name for readers.
        unit: of the values.
        number_format: of the values in tables, for str.format.
        higher_is_better: None where neither is.
        highest: the end of the metric's axis in figures, None where it has none.
        stages: those that have the metric, None for all.
        proof: the kind of event by which a run fails, with this metric as the reason: the metric
            has a value of such a run as well.

    """
    return lambda compute: compute
