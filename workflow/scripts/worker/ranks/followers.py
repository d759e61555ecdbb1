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

GRACE_SECONDS = 1.0  # in which a rank that failed reports it, or ends


class Follower:
    """The leader's end of another rank.

    `pipe` takes orders and gives answers; `life` is what multiprocessing.connection.wait() finds
    ready when the rank's process has ended.
    """

    def __init__(self, rank: int, pipe: connection.Connection, life: Any) -> None:
        self.rank, self.pipe, self.life = rank, pipe, life
        self.receiving = threading.RLock()
        self.failed: Optional[RankFailed] = None

    def how_it_ended(self) -> str:
        """What is known of its end, in a few words."""
        raise NotImplementedError

    def answer(self) -> Any:
        """Its next message; raises RankFailed where that is a failure or the process ended."""
        with self.receiving:
            try:
                said = self.pipe.recv()
            except (EOFError, ConnectionResetError):
                said = RankFailed(0.0, f"rank {self.rank} {self.how_it_ended()}")
            if isinstance(said, RankFailed):
                self.failed = said
                raise said
            return said

    def failure(self) -> Optional[RankFailed]:
        """Its failure, or None."""
        with self.receiving, suppress(RankFailed):
            while self.failed is None and self.pipe.poll(GRACE_SECONDS):
                self.answer()
        return self.failed


class _Here(Follower):
    """One on the leader's own node, whose process it starts."""

    def __init__(self, rank: int, make: Callable[..., Any], arguments: Tuple[Any, ...]) -> None:
        context = multiprocessing.get_context("spawn")
        pipe, its_end = context.Pipe()
        # Nothing is sent through it: it closes when the leader ends, however it ends.
        its_life, self.own_life = context.Pipe(duplex=False)
        ends = its_end, its_life
        self.process = context.Process(
            target=follow, args=(rank, make, arguments, *ends), daemon=True
        )
        self.process.start()
        for end in ends:
            end.close()
        # Else multiprocessing waits for it after a SIGTERM, by which TensorFlow's doesn't end.
        atexit.register(self.own_life.close)
        super().__init__(rank, pipe, self.process.sentinel)

    def how_it_ended(self) -> str:
        self.process.join()
        return f"ended with exit code {self.process.exitcode}"


class _Elsewhere(Follower):
    """One on another node, which has connected."""

    def __init__(self, rank: int, place: nodes.Place) -> None:
        super().__init__(rank, place.orders, place.life)
        self.where = place.where

    def how_it_ended(self) -> str:
        return f"on {self.where} ended"


def here(
    ranks: Iterable[int], make: Callable[..., Any], arguments: Tuple[Any, ...]
) -> Iterator[Follower]:
    """Start these ranks on the leader's own node."""
    return (_Here(rank, make, arguments) for rank in ranks)


def elsewhere(
    count: int, of_each: int, make: Callable[..., Any], arguments: Tuple[Any, ...]
) -> Iterator[Follower]:
    """Join the ranks of all other nodes, of which there are `count` with this one.

    Raises RankFailed where one doesn't connect.
    """
    if count == 1:
        return
    try:
        places = nodes.join(count, of_each)
    except nodes.NotJoined as error:
        raise RankFailed(time.time(), str(error)) from None
    for rank, place in enumerate(places, start=of_each):
        place.orders.send((rank, make, arguments))
        yield _Elsewhere(rank, place)
