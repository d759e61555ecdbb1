"""Highest resident memory of the run's process tree, start-up included."""

from trainmark.analyse.run.recording import Absent, Run

TITLE = "Peak memory"
UNIT = "MiB"
NUMBER_FORMAT = "{:,.0f}"
HIGHER_IS_BETTER = False


def compute(run: Run) -> float:
    """Mebibytes; raises Absent where no sample was taken."""
    peak_bytes = run.record["memory_peak_bytes"]
    if peak_bytes is None:
        raise Absent("no memory sample was taken")
    return float(peak_bytes) / 2**20
