"""Training until the first evaluation at or above the accuracy that the case asks for."""

from trainmark.analyse.run.evaluation import learning
from trainmark.analyse.run.recording import Absent, Run

TITLE = "Time to accuracy"
UNIT = "s"
NUMBER_FORMAT = "{:,.2f}"
HIGHER_IS_BETTER = False
STAGES = ("train",)


def compute(run: Run) -> float:
    """Seconds, without evaluations; raises Absent without a target, or where it isn't reached."""
    points, target = list(learning(run)), run.target_accuracy
    if target is None:
        raise Absent("the case asks for no target_accuracy")
    for point in points:
        if point.top1 >= target:
            return float(point.seconds)
    best = max(point.top1 for point in points)
    raise Absent(
        f"top-1 accuracy reached {best:.2f} % in {points[-1].steps:,} steps, not {target:g} %"
    )
