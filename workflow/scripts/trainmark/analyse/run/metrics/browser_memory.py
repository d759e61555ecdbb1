"""Highest resident memory of the browser's page, less that of the empty page."""

from trainmark.analyse.run.recording import Absent, Run

TITLE = "Page memory"
UNIT = "MiB"
NUMBER_FORMAT = "{:,.0f}"
HIGHER_IS_BETTER = False


def compute(run: Run) -> float:
    """Mebibytes; raises Absent for what predicts in no browser."""
    if "process_memory" not in run.events:
        raise Absent("it predicts in no browser")
    memory = run.event("process_memory")
    return float(memory["peak_bytes"] - memory["empty_bytes"]) / 2**20
