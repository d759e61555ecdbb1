"""Rank 0, the runner's process, which leads the ranks of the other devices.

It passes each method call on to the other ranks, over pipes on its own node and over TCP to other
nodes. Every rank works on its own part of a batch.
"""

import atexit
import itertools
import threading
import weakref
from collections import deque
from contextlib import contextmanager
from multiprocessing import connection
from typing import Any, Callable, Deque, Iterator, List, Optional, Sequence, Tuple

from worker.events import Unsupported
from worker.ranks import followers
from worker.ranks.followers import GRACE_SECONDS, Follower
from worker.ranks.rank import Handle, Rank, RankFailed


class Leader(Rank):
    """Rank 0, which also leads all other ranks; each node has the same number of ranks.

    make(*arguments, rank): makes a rank's adapter, in the rank's own process. wake(): is called in
    a thread when another rank's process has ended and this one hasn't ended soon after; it must
    unblock all calls that wait for that rank.

    All methods raise RankFailed with the first failure of another rank. They raise Unsupported if
    the leader itself does, since all ranks raise it then.
    """

    def __init__(
        self,
        count: int,
        make: Callable[..., Any],
        arguments: Tuple[Any, ...],
        wake: Callable[[], Any],
        nodes: int = 1,
    ) -> None:
        self.numbers = itertools.count()
        self.released: Deque[int] = deque()
        local = followers.start(range(1, count // nodes), make, arguments)
        remote = followers.join(nodes, count // nodes, make, arguments)
        self.others: List[Follower] = [*local, *remote]
        with self._first_failure():
            for other in self.others:
                other.answer()
            super().__init__(make(*arguments, 0))
        _watch([other.life for other in self.others], wake)

    def run(self, method: str, *arguments: Any) -> Any:
        """Call a method on all ranks; returns the leader's own result."""
        return self._order(False, method, [arguments] * (1 + len(self.others)))

    def gather(self, method: str, *arguments: Any) -> List[Any]:
        """Call a method on all ranks and wait; returns the results of all, by rank."""
        result = self._order(True, method, [arguments] * (1 + len(self.others)))
        with self._first_failure():
            return [result] + [other.answer() for other in self.others]

    def hold(self, method: str, *arguments: Any) -> Handle:
        """Call a method on all ranks; each rank keeps its result; returns the results' handle."""
        return self.hold_each(method, [arguments] * (1 + len(self.others)))

    def hold_each(self, method: str, arguments: Sequence[Tuple[Any, ...]]) -> Handle:
        """Call a method with each rank's own arguments, by rank; returns the results' handle."""
        handle = Handle(next(self.numbers))
        self._order(False, method, arguments, handle.number)
        weakref.finalize(handle, self.released.append, handle.number)
        return handle

    def result_of(self, handle: Handle) -> Any:
        """The leader's own result behind a handle."""
        return self.results[handle.number]

    def _order(
        self,
        is_question: bool,
        method: str,
        arguments: Sequence[Tuple[Any, ...]],
        *number: int,
    ) -> Any:
        released = [self.released.popleft() for _ in range(len(self.released))]
        with self._first_failure():
            for other, its_arguments in zip(self.others, arguments[1:]):
                other.pipe.send((is_question, released, method, its_arguments, *number))
            return self.call(released, method, arguments[0], *number)

    @contextmanager
    def _first_failure(self) -> Iterator[None]:
        """Raise the first failure of another rank instead of the leader's error that it caused."""
        try:
            yield
        except Unsupported:
            raise
        except Exception as error:
            failure = self.failure()
            if failure:
                # Python 3.12.1 crashes on the cycle of the message and its traceback's frames.
                error.__traceback__ = None
                raise failure from None
            raise

    def failure(self) -> Optional[RankFailed]:
        """The first failure of the other ranks, or None."""
        failures = filter(None, [other.failure() for other in self.others])
        return min(failures, key=lambda failure: failure.args[0], default=None)

    def has_failed(self) -> bool:
        """Whether a failure of another rank has been received."""
        return any(other.failed for other in self.others)


def _watch(lives: Sequence[Any], wake: Callable[[], Any]) -> None:
    """Call `wake` when another process ends and this one goes on."""
    is_ending = threading.Event()
    atexit.register(is_ending.set)

    def watch() -> None:
        connection.wait(lives)
        if not is_ending.wait(GRACE_SECONDS):
            wake()

    threading.Thread(target=watch, daemon=True).start()
