"""Power of the GPUs used in the two seconds before the run, summed over them."""

from trainmark.analyse.run.recording import Absent, Run

TITLE = "Idle GPU power"
UNIT = "W"
NUMBER_FORMAT = "{:,.1f}"
HIGHER_IS_BETTER = False


def compute(run: Run) -> float:
    """Watts; raises Absent without a GPU or where its power can't be read."""
    watts: float | None = run.record["gpu_idle_watts"]
    if watts is None:
        raise Absent("no GPU was used, or its power can't be read")
    return watts
