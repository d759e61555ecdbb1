"""Size of the network's weights as the framework holds them."""

from trainmark.analyse.run.recording import Run

TITLE = "Model size"
UNIT = "MB"
NUMBER_FORMAT = "{:.3g}"
HIGHER_IS_BETTER = False


def compute(run: Run) -> float:
    """Megabytes (1e6); raises Absent where the network was never built."""
    return float(run.event("network")["model_bytes"]) / 1e6
