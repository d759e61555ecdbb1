"""Trainable parameters that the framework itself counts."""

from trainmark.analyse.run.recording import Run

TITLE = "Parameters"
UNIT = "parameters"
NUMBER_FORMAT = "{:,.0f}"


def compute(run: Run) -> float:
    """Count; raises Absent where the network was never built."""
    return float(run.event("network")["parameter_count"])
