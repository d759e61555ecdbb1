"""GPU energy over the window: by the energy counters, or else from sampled power.

The metric gpu_energy_counter is absent where there is no counter, and so tells which it was.
"""

from trainmark.analyse.run.metrics import gpu_energy_counter, gpu_energy_sampled
from trainmark.analyse.run.recording import Absent, Run

TITLE = "GPU energy"
UNIT = "J"
NUMBER_FORMAT = "{:,.1f}"
HIGHER_IS_BETTER = False


def compute(run: Run) -> float:
    """Joules; raises Absent without a GPU or where neither can be read."""
    try:
        return gpu_energy_counter.compute(run)
    except Absent:
        return gpu_energy_sampled.compute(run)
