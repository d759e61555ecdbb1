"""The leader's ends of the other ranks: processes of its own node and of others."""

import atexit
import multiprocessing
import threading
import time
from contextlib import suppress
from multiprocessing import connection
from typing import Any, Callable, Iterable, Iterator, Optional, Tuple

from worker.ranks import nodes
from worker.ranks.rank import RankFailed, follow

GRACE_SECONDS = 1.0  # a rank that failed reports its failure, or ends, within this time


class Follower:
    """The leader's end of another rank.

    pipe: sends orders to the rank and receives its answers; life: an object for
    multiprocessing.connection.wait(), ready when the rank's process has ended.
    """

    def __init__(self, rank: int, pipe: connection.Connection, life: Any) -> None:
        self.rank, self.pipe, self.life = rank, pipe, life
        self.receiving = threading.RLock()
        self.failed: Optional[RankFailed] = None

    def how_it_ended(self) -> str:
        """A few words for a message about the end of the rank's process."""
        raise NotImplementedError

    def answer(self) -> Any:
        """The rank's next message; raises RankFailed if it is a failure or the process ended."""
        with self.receiving:
            try:
                message = self.pipe.recv()
            except (EOFError, ConnectionResetError):
                message = RankFailed(0.0, f"rank {self.rank} {self.how_it_ended()}")
            if isinstance(message, RankFailed):
                self.failed = message
                raise message
            return message

    def failure(self) -> Optional[RankFailed]:
        """The rank's failure, or None."""
        with self.receiving, suppress(RankFailed):
            while self.failed is None and self.pipe.poll(GRACE_SECONDS):
                self.answer()
        return self.failed


class _LocalFollower(Follower):
    """A rank on the leader's own node; its process is started here."""

    def __init__(self, rank: int, make: Callable[..., Any], arguments: Tuple[Any, ...]) -> None:
        context = multiprocessing.get_context("spawn")
        pipe, pipe_end = context.Pipe()
        # Nothing is sent through this pipe: it closes when the leader ends, for any reason.
        life_end, self.leader_life = context.Pipe(duplex=False)
        ends = pipe_end, life_end
        self.process = context.Process(
            target=follow, args=(rank, make, arguments, *ends), daemon=True
        )
        self.process.start()
        for end in ends:
            end.close()
        # At exit multiprocessing sends SIGTERM and waits: TensorFlow's process doesn't end by that.
        atexit.register(self.leader_life.close)
        super().__init__(rank, pipe, self.process.sentinel)

    def how_it_ended(self) -> str:
        self.process.join()
        return f"ended with exit code {self.process.exitcode}"


class _RemoteFollower(Follower):
    """A rank on another node, whose process has connected."""

    def __init__(self, rank: int, process: nodes.RemoteProcess) -> None:
        super().__init__(rank, process.orders, process.life)
        self.node = process.node

    def how_it_ended(self) -> str:
        return f"on {self.node} ended"


def start(
    ranks: Iterable[int], make: Callable[..., Any], arguments: Tuple[Any, ...]
) -> Iterator[Follower]:
    """Start these ranks on the leader's own node."""
    return (_LocalFollower(rank, make, arguments) for rank in ranks)


def join(
    count: int, of_each: int, make: Callable[..., Any], arguments: Tuple[Any, ...]
) -> Iterator[Follower]:
    """Connect with the ranks of the other nodes.

    count: the number of nodes, including this one; of_each: the number of ranks on each. Raises
    RankFailed if a rank doesn't connect.
    """
    if count == 1:
        return
    try:
        processes = nodes.join(count, of_each)
    except nodes.NotJoined as error:
        raise RankFailed(time.time(), str(error)) from None
    for rank, process in enumerate(processes, start=of_each):
        process.orders.send((rank, make, arguments))
        yield _RemoteFollower(rank, process)
