"""Memory of the run's processes, of GPUs and of a browser's page."""

from trainmark.analyse.run.integral import integral
from trainmark.analyse.run.metric import metric
from trainmark.analyse.run.recording import Absent, Run


@metric(
    title="Peak memory",
    unit="MiB",
    number_format="{:,.0f}",
    higher_is_better=False,
)
def cpu_memory(run: Run) -> float:
    """Highest resident memory of the run's process tree, start-up included.

    Mebibytes; raises Absent where no sample was taken.
    """
    peak_bytes = run.record["memory_peak_bytes"]
    if peak_bytes is None:
        raise Absent("no memory sample was taken")
    return float(peak_bytes) / 2**20


@metric(
    title="Mean memory",
    unit="MiB",
    number_format="{:,.0f}",
    higher_is_better=False,
)
def cpu_memory_mean(run: Run) -> float:
    """Resident memory of the run's process tree, averaged over the window.

    Mebibytes, averaged over time; raises Absent where telemetry doesn't tell.
    """
    return integral(run.series("own_memory_bytes")) / run.window_seconds / 2**20


@metric(
    title="Peak GPU memory",
    unit="MiB",
    number_format="{:,.0f}",
    higher_is_better=False,
)
def gpu_memory(run: Run) -> float:
    """Highest GPU memory of the run's processes in the window, summed over the GPUs used.

    Where the driver can't tell processes apart, it is all memory in use on the board; a run's
    provenance says which (memory_method).

    Mebibytes, each GPU at its own peak; raises Absent without a GPU.
    """
    return float(sum(series.max() for series in run.gpu_series("memory_bytes"))) / 2**20


@metric(
    title="Mean GPU memory",
    unit="MiB",
    number_format="{:,.0f}",
    higher_is_better=False,
)
def gpu_memory_mean(run: Run) -> float:
    """GPU memory of the run's processes, averaged over the window, summed over the GPUs used.

    Mebibytes, averaged over time; raises Absent without a GPU.
    """
    byte_seconds = sum(integral(series) for series in run.gpu_series("memory_bytes"))
    return byte_seconds / run.window_seconds / 2**20


@metric(
    title="Page memory",
    unit="MiB",
    number_format="{:,.0f}",
    higher_is_better=False,
)
def browser_memory(run: Run) -> float:
    """Highest resident memory of the browser's page, less that of the empty page.

    Mebibytes; raises Absent for what predicts in no browser.
    """
    if "process_memory" not in run.events:
        raise Absent("it predicts in no browser")
    memory = run.event("process_memory")
    return float(memory["peak_bytes"] - memory["empty_bytes"]) / 2**20
