"""Energy per 1,000 training images: of the GPUs used, or else of the CPU packages."""

from trainmark.analyse.run.metrics import cpu_power, gpu_energy
from trainmark.analyse.run.recording import Absent, Run
from worker import devices

TITLE = "Energy per 1,000 images"
UNIT = "J"
NUMBER_FORMAT = "{:,.2f}"
HIGHER_IS_BETTER = False


def compute(run: Run) -> float:
    """Joules over the window; raises Absent where neither energy can be read, or is told."""
    if devices.gpu_kind(run.job["device"]):
        joules = gpu_energy.compute(run)
    else:
        joules = cpu_power.compute(run) * run.window_seconds
    if not joules:
        raise Absent("the energy counter stands still")
    return 1000 * joules / float(run.event("window_end")["images"])
