"""Mean power of the processors over the window, by their own energy counters (RAPL)."""

from trainmark.analyse.run.integral import rise
from trainmark.analyse.run.recording import Absent, Run

TITLE = "CPU power"
UNIT = "W"
NUMBER_FORMAT = "{:,.1f}"
HIGHER_IS_BETTER = False


def compute(run: Run) -> float:
    """Watts of all packages, whoever used them; raises Absent without readable counters."""
    if "cpu_energy_joules" not in run.telemetry:
        raise Absent("the processors' energy counters are not readable")
    return rise(run.series("cpu_energy_joules")) / run.window_seconds
