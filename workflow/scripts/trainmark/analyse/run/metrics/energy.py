"""Power and energy of GPUs and processors."""

from trainmark.analyse.run.integral import integral, rise
from trainmark.analyse.run.metric import metric
from trainmark.analyse.run.metrics.speed import require_images
from trainmark.analyse.run.recording import Absent, Run
from worker import devices


@metric(
    title="GPU energy",
    unit="J",
    number_format="{:,.1f}",
    higher_is_better=False,
)
def gpu_energy(run: Run) -> float:
    """GPU energy over the window: by the energy counters, or else from sampled power.

    The metric gpu_energy_counter is absent where there is no counter, and so tells which it was.

    Joules; raises Absent without a GPU or where neither can be read.
    """
    try:
        return gpu_energy_counter(run)
    except Absent:
        return gpu_energy_sampled(run)


@metric(
    title="GPU energy (counter)",
    unit="J",
    number_format="{:,.1f}",
    higher_is_better=False,
)
def gpu_energy_counter(run: Run) -> float:
    """GPU energy over the window by the boards' own counters, summed over the GPUs used.

    Joules; raises Absent without a GPU, or where one has no counter or had it reset.
    """
    return sum(map(rise, run.gpu_series("energy_joules")))


@metric(
    title="GPU energy (sampled)",
    unit="J",
    number_format="{:,.1f}",
    higher_is_better=False,
)
def gpu_energy_sampled(run: Run) -> float:
    """GPU energy over the window by integrating the sampled power, summed over the GPUs used.

    Joules by the trapezoidal rule; raises Absent without a GPU, or enough power samples.
    """
    return sum(map(integral, run.gpu_series("power_watts")))


@metric(
    title="GPU power",
    unit="W",
    number_format="{:,.1f}",
    higher_is_better=False,
)
def gpu_power(run: Run) -> float:
    """Mean GPU power over the window: its energy per second, summed over the GPUs used.

    Watts; raises Absent without a GPU or where its energy can't be read.
    """
    return gpu_energy(run) / run.window_seconds


@metric(
    title="Idle GPU power",
    unit="W",
    number_format="{:,.1f}",
    higher_is_better=False,
)
def gpu_idle_power(run: Run) -> float:
    """Lowest power of the GPUs used in the two seconds before the run, summed over them.

    Watts; raises Absent without a GPU or where its power can't be read.
    """
    watts: float | None = run.record["gpu_idle_watts"]
    if watts is None:
        raise Absent("no GPU was used, or its power can't be read")
    return watts


@metric(
    title="CPU power",
    unit="W",
    number_format="{:,.1f}",
    higher_is_better=False,
)
def cpu_power(run: Run) -> float:
    """Mean power of the processors over the window, by their own energy counters (RAPL).

    Watts of all packages, whoever used them; raises Absent without readable counters.
    """
    if "cpu_energy_joules" not in run.telemetry:
        raise Absent("the processors' energy counters are not readable")
    return rise(run.series("cpu_energy_joules")) / run.window_seconds


@metric(
    title="Energy per 1,000 images",
    unit="J",
    number_format="{:,.2f}",
    higher_is_better=False,
)
def energy_per_1000_images(run: Run) -> float:
    """Energy per 1,000 images of the stage: of the GPUs used, or else of the CPU packages.

    Joules over the window; raises Absent where neither energy can be read, and in stage generate.
    """
    require_images(run)
    if devices.gpu_kind(run.job["device"]):
        joules = gpu_energy(run)
    else:
        joules = cpu_power(run) * run.window_seconds
    if not joules:
        raise Absent("the energy counter stands still")
    return 1000 * joules / float(run.event("window_end")["images"])


@metric(
    title="Speed per watt",
    unit="images/s/W",
    number_format="{:,.2f}",
    higher_is_better=True,
)
def speed_per_watt(run: Run) -> float:
    """Speed of the stage per watt, which is images per joule: of the GPUs used, or of the CPU.

    Images per second and watt; raises Absent where no energy can be read.
    """
    return 1000 / energy_per_1000_images(run)
