"""Speed of the machine itself: of its processors and its memory, just before a run."""

from trainmark.analyse.run.metric import metric
from trainmark.analyse.run.recording import Absent, Run


@metric(
    title="Processors' arithmetic",
    unit="GFLOP/s",
    number_format="{:,.0f}",
    higher_is_better=True,
)
def host_gflops(run: Run) -> float:
    """Arithmetic per second of NumPy's products of float32 matrices, just before the run.

    Billions of operations per second, of all nodes' processors with the run's threads; raises
    Absent where it wasn't measured.
    """
    return _speed(run, "gflops")


@metric(
    title="Memory bandwidth",
    unit="GB/s",
    number_format="{:,.1f}",
    higher_is_better=True,
)
def host_bandwidth(run: Run) -> float:
    """Bytes per second that copies in memory read and write, just before the run.

    Billions of bytes per second, of all nodes with the run's threads; raises Absent where it
    wasn't measured.
    """
    return _speed(run, "gigabytes_per_second")


def _speed(run: Run, name: str) -> float:
    speeds = run.record["host_speed"]
    if speeds is None:
        raise Absent("the machine's own speed wasn't measured")
    return float(speeds[name])
