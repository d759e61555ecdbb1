"""Cores that the run's process tree used outside the kernel, averaged over the window."""

from trainmark.analyse.run.recording import Run

TITLE = "Cores used by programs"
UNIT = "cores"
NUMBER_FORMAT = "{:.2f}"


def compute(run: Run) -> float:
    """Cores; raises Absent where telemetry doesn't tell."""
    programs = run.series("own_cpu_seconds") - run.series("own_system_seconds")
    return float(programs.iloc[-1] - programs.iloc[0]) / run.window_seconds
