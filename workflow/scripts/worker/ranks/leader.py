"""One process with one adapter per device; the runner's process is rank 0 and leads the others.

The leader passes each method call on to the other ranks over pipes, and every rank works on its own
part. Results stay in the rank that made them and are named by a number, so no batch is copied from
process to process.
"""

import atexit
import faulthandler
import itertools
import multiprocessing
import os
import threading
import time
import traceback
import weakref
from collections import deque
from contextlib import contextmanager, suppress
from multiprocessing import connection
from typing import Any, Callable, Deque, Dict, Iterable, Iterator, List, Optional, Sequence, Tuple

from worker.events import Unsupported

GRACE_SECONDS = 1.0  # in which a rank that failed reports it, or ends


class RankFailed(Exception):
    """Another rank failed: the time in monotonic seconds, and one line: which rank, and how."""

    def __str__(self) -> str:
        """The line, without the time."""
        return str(self.args[1])


class Held:
    """A result that each rank holds under the same number for as long as this object lives."""

    def __init__(self, number: int) -> None:
        self.number = number


class Rank:
    """The adapter of one device, and the results that it holds."""

    def __init__(self, adapter: Any) -> None:
        self.adapter = adapter
        self.held: Dict[int, Any] = {}

    def call(
        self,
        released: Iterable[int],
        method: str,
        arguments: Sequence[Any],
        number: Optional[int] = None,
    ) -> Any:
        """Drop the released results, then call a method; a result with a number is held."""
        for unwanted in released:
            del self.held[unwanted]
        own = [self.held[a.number] if isinstance(a, Held) else a for a in arguments]
        result = getattr(self.adapter, method)(*own)
        if number is not None:
            self.held[number] = result
        return result


class Leader(Rank):
    """Rank 0, and the others through it.

    `make(*arguments, rank)` makes a rank's adapter, in the rank's own process. `wake()` is called
    in a thread when another rank's process has ended and this one hasn't ended soon after; it must
    unblock whatever waits for that rank. All methods raise RankFailed, with the first failure,
    where another rank failed, and Unsupported where the leader itself raises that, as then all
    ranks do.
    """

    def __init__(
        self,
        count: int,
        make: Callable[..., Any],
        arguments: Tuple[Any, ...],
        wake: Callable[[], Any],
    ) -> None:
        self.numbers = itertools.count()
        self.released: Deque[int] = deque()
        self.others = [_Follower(rank, make, arguments) for rank in range(1, count)]
        with self._first_failure():
            for other in self.others:
                other.answer()
            super().__init__(make(*arguments, 0))
        _watch([other.process.sentinel for other in self.others], wake)

    def tell(self, method: str, *arguments: Any) -> Any:
        """Call a method on all ranks; returns the leader's own result."""
        return self._order(False, method, [arguments] * (1 + len(self.others)))

    def ask(self, method: str, *arguments: Any) -> List[Any]:
        """Call a method on all ranks and wait; returns the results of all, by rank."""
        own = self._order(True, method, [arguments] * (1 + len(self.others)))
        with self._first_failure():
            return [own] + [other.answer() for other in self.others]

    def keep(self, method: str, *arguments: Any) -> Held:
        """Call a method on all ranks, each of which holds its result; returns the handle."""
        return self.keep_each(method, [arguments] * (1 + len(self.others)))

    def keep_each(self, method: str, arguments: Sequence[Tuple[Any, ...]]) -> Held:
        """The same with separate arguments for each rank."""
        kept = Held(next(self.numbers))
        self._order(False, method, arguments, kept.number)
        weakref.finalize(kept, self.released.append, kept.number)
        return kept

    def own(self, kept: Held) -> Any:
        """The leader's own result behind a handle."""
        return self.held[kept.number]

    def _order(
        self,
        is_question: bool,
        method: str,
        arguments: Sequence[Tuple[Any, ...]],
        *number: int,
    ) -> Any:
        released = [self.released.popleft() for _ in range(len(self.released))]
        with self._first_failure():
            for other, own in zip(self.others, arguments[1:]):
                other.pipe.send((is_question, released, method, own, *number))
            return self.call(released, method, arguments[0], *number)

    @contextmanager
    def _first_failure(self) -> Iterator[None]:
        """Raise the first failure: where another rank fails, the leader fails as a consequence."""
        try:
            yield
        except Unsupported:
            raise
        except Exception as error:
            failure = self.failure()
            if failure:
                # Its frames hold what was being sent, in a cycle by which Python 3.12.1 crashes.
                error.__traceback__ = None
                raise failure from None
            raise

    def failure(self) -> Optional[RankFailed]:
        """The first failure of the other ranks, or None."""
        failures = filter(None, [other.failure() for other in self.others])
        return min(failures, key=lambda failure: failure.args[0], default=None)


class _Follower:
    """The leader's end of another rank, whose process it starts."""

    def __init__(self, rank: int, make: Callable[..., Any], arguments: Tuple[Any, ...]) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, its_end = context.Pipe()
        # Nothing is sent through it: it closes when the leader ends, however it ends.
        life, self.life = context.Pipe(duplex=False)
        self.rank, self.receiving = rank, threading.RLock()
        self.failed: Optional[RankFailed] = None
        ends = its_end, life
        self.process = context.Process(
            target=_follow, args=(rank, make, arguments, *ends), daemon=True
        )
        self.process.start()
        for end in ends:
            end.close()

    def answer(self) -> Any:
        """Its next message; raises RankFailed where that is a failure or the process ended."""
        with self.receiving:
            try:
                said = self.pipe.recv()
            except (EOFError, ConnectionResetError):
                self.process.join()
                line = f"rank {self.rank} ended with exit code {self.process.exitcode}"
                said = RankFailed(0.0, line)
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


def _follow(
    rank: int,
    make: Callable[..., Any],
    arguments: Tuple[Any, ...],
    pipe: connection.Connection,
    life: connection.Connection,
) -> None:
    """Execute the leader's orders until the leader ends."""
    faulthandler.enable()
    threading.Thread(target=_end_with, args=(life,), daemon=True).start()
    try:
        pipe.send("imported")
        own = Rank(make(*arguments, rank))
        for is_question, *order in _orders(pipe):
            result = own.call(*order)
            if is_question:
                pipe.send(result)
    except Exception as error:
        line = (str(error).strip().splitlines() or [""])[0]
        said = f"rank {rank}: {type(error).__name__}: {line}"
        pipe.send(RankFailed(time.monotonic(), said))
        traceback.print_exc()
        os._exit(1)  # even where the device still waits for another rank


def _orders(pipe: connection.Connection) -> Iterator[Any]:
    with suppress(EOFError):
        while True:
            yield pipe.recv()


def _end_with(life: connection.Connection) -> None:
    """End this process when the leader's ends, whatever it is waiting for."""
    connection.wait([life])
    os._exit(1)


def _watch(sentinels: Sequence[int], wake: Callable[[], Any]) -> None:
    """Call `wake` when another process ends and this one goes on."""
    is_ending = threading.Event()
    atexit.register(is_ending.set)

    def watch() -> None:
        connection.wait(sentinels)
        if not is_ending.wait(GRACE_SECONDS):
            wake()

    threading.Thread(target=watch, daemon=True).start()
