"""Mean of the time of a call, each of them waited for."""

from trainmark.analyse.run.latency import milliseconds
from trainmark.analyse.run.recording import Run

TITLE = "Latency (mean)"
UNIT = "ms"
NUMBER_FORMAT = "{:,.3f}"
HIGHER_IS_BETTER = False


def compute(run: Run) -> float:
    """Milliseconds; raises Absent without calls that were waited for."""
    return float(milliseconds(run).mean())
