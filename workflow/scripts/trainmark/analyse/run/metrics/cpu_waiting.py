"""Cores of the machine that were idle while something waited for a disk, over the window."""

from trainmark.analyse.run.recording import Run

TITLE = "Cores waiting for a disk (machine)"
UNIT = "cores"
NUMBER_FORMAT = "{:.2f}"
HIGHER_IS_BETTER = False


def compute(run: Run) -> float:
    """Cores; raises Absent where telemetry doesn't tell."""
    waiting = run.series("cpu_waiting_seconds")  # Linux may take some of it back (proc(5))
    return max(0.0, float(waiting.iloc[-1] - waiting.iloc[0])) / run.window_seconds
