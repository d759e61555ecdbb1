"""Share of the threads that the run was given which were at work, averaged over the window."""

from trainmark.analyse.run.cpu_load import cores
from trainmark.analyse.run.recording import Run

TITLE = "Threads at work"
UNIT = "%"
NUMBER_FORMAT = "{:.0f}"


def compute(run: Run) -> float:
    """Percent; raises Absent where the machine's load can't be read."""
    return 100 * cores(run, "own_cpu") / float(run.job["threads"])
