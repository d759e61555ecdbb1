"""Bytes that go to and from disks and networks during the window."""

from trainmark.analyse.run.integral import rise
from trainmark.analyse.run.metric import metric
from trainmark.analyse.run.recording import Absent, Run

NOT_COUNTED = "Linux doesn't count what these processes read and write"
NO_NETWORK = "the machine has no network"


@metric(
    title="Disk reads",
    unit="MB/s",
    number_format="{:,.2f}",
)
def disk_read(run: Run) -> float:
    """Bytes that the run's process tree had read from disks in the window, per second of it.

    What was in the page cache isn't read.

    Megabytes (1e6) per second; raises Absent where Linux doesn't tell.
    """
    return _megabytes_per_second(run, "own_read_bytes", NOT_COUNTED)


@metric(
    title="Disk writes",
    unit="MB/s",
    number_format="{:,.2f}",
)
def disk_written(run: Run) -> float:
    """Bytes that the run's process tree changed in files on disks in the window, per second of it.

    Megabytes (1e6) per second; raises Absent where Linux doesn't tell.
    """
    return _megabytes_per_second(run, "own_written_bytes", NOT_COUNTED)


@metric(
    title="Network received (machine)",
    unit="MB/s",
    number_format="{:,.2f}",
)
def network_received(run: Run) -> float:
    """Bytes that the machine received over its network in the window, per second of it.

    Linux counts them by interface, not by process; the loopback isn't among them.

    Megabytes (1e6) per second; raises Absent without a network.
    """
    return _megabytes_per_second(run, "network_received_bytes", NO_NETWORK)


@metric(
    title="Network sent (machine)",
    unit="MB/s",
    number_format="{:,.2f}",
)
def network_sent(run: Run) -> float:
    """Bytes that the machine sent over its network in the window, per second of it.

    Linux counts them by interface, not by process; the loopback isn't among them.

    Megabytes (1e6) per second; raises Absent without a network.
    """
    return _megabytes_per_second(run, "network_sent_bytes", NO_NETWORK)


def _megabytes_per_second(run: Run, counter: str, reason: str) -> float:
    """The mean rise of a counter of bytes in MB (1e6) a second; without it, Absent by `reason`."""
    if counter not in run.telemetry:
        raise Absent(reason)
    return rise(run.series(counter)) / 1e6 / run.window_seconds
