"""Cores and threads that work during the window."""

from trainmark.analyse.run.integral import rise
from trainmark.analyse.run.metric import metric
from trainmark.analyse.run.recording import Absent, Run
from worker.devices import shape


@metric(
    title="Cores used",
    unit="cores",
    number_format="{:.2f}",
)
def own_cpu(run: Run) -> float:
    """Cores that the run's process tree used, averaged over the window.

    Cores; raises Absent where the machine's load can't be read.
    """
    return _cores(run, "own_cpu")


@metric(
    title="Cores used by others",
    unit="cores",
    number_format="{:.2f}",
    higher_is_better=False,
)
def other_cpu(run: Run) -> float:
    """Cores that other processes used, averaged over the window.

    Cores; raises Absent where the machine's load can't be read.
    """
    return _cores(run, "other_cpu")


@metric(
    title="Cores stolen",
    unit="cores",
    number_format="{:.2f}",
    higher_is_better=False,
)
def steal(run: Run) -> float:
    """Cores that the hypervisor gave to other machines, averaged over the window.

    Cores; raises Absent where the machine's load can't be read.
    """
    return _cores(run, "steal")


@metric(
    title="Cores used by programs",
    unit="cores",
    number_format="{:.2f}",
)
def cpu_user(run: Run) -> float:
    """Cores that the run's process tree used outside the kernel, averaged over the window.

    Cores; raises Absent where telemetry doesn't tell.
    """
    programs = run.series("own_cpu_seconds") - run.series("own_system_seconds")
    return float(programs.iloc[-1] - programs.iloc[0]) / run.window_seconds


@metric(
    title="Cores used by the kernel",
    unit="cores",
    number_format="{:.2f}",
)
def cpu_system(run: Run) -> float:
    """Cores that the kernel used for the run's process tree, averaged over the window.

    Cores; raises Absent where telemetry doesn't tell.
    """
    return rise(run.series("own_system_seconds")) / run.window_seconds


@metric(
    title="Cores waiting for a disk (machine)",
    unit="cores",
    number_format="{:.2f}",
    higher_is_better=False,
)
def cpu_waiting(run: Run) -> float:
    """Cores of the machine that were idle while something waited for a disk, over the window.

    Cores; raises Absent where telemetry doesn't tell.
    """
    waiting = run.series("cpu_waiting_seconds")  # Linux may take some of it back (proc(5))
    return max(0.0, float(waiting.iloc[-1] - waiting.iloc[0])) / run.window_seconds


@metric(
    title="Threads",
    unit="threads",
    number_format="{:,.0f}",
)
def threads(run: Run) -> float:
    """Threads of the run: how many `all` were.

    Count, on each node.
    """
    return float(run.job["threads"])


@metric(
    title="Threads at work",
    unit="%",
    number_format="{:.0f}",
)
def thread_use(run: Run) -> float:
    """Share of the run's threads, of all nodes, that were at work, averaged over the window.

    Percent; raises Absent where the machine's load can't be read.
    """
    _, nodes, _ = shape(run.job["device"])
    return 100 * _cores(run, "own_cpu") / (nodes * float(run.job["threads"]))


def _cores(run: Run, user: str) -> float:
    """Mean number of cores used in the window; user: own_cpu, other_cpu or steal."""
    run.check_sampled()
    load = run.record["load"]
    if load is None:
        raise Absent("the machine's load was not readable")
    return float(load[user])
