"""90th percentile of the time of a call, each of them waited for."""

from trainmark.analyse.run.latency import percentile
from trainmark.analyse.run.recording import Run

TITLE = "Latency (90th percentile)"
UNIT = "ms"
NUMBER_FORMAT = "{:,.3f}"
HIGHER_IS_BETTER = False


def compute(run: Run) -> float:
    """Milliseconds; raises Absent without calls that were waited for, or with too few."""
    return percentile(run, 90)
