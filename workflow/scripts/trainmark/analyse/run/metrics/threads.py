"""Threads that the run was given: how many `all` were."""

from trainmark.analyse.run.recording import Run

TITLE = "Threads"
UNIT = "threads"
NUMBER_FORMAT = "{:,.0f}"


def compute(run: Run) -> float:
    """Count, on each node."""
    return float(run.job["threads"])
