"""One process with one adapter per device; the runner's process is rank 0 and leads the others.

The leader passes each method call on to the other ranks, over pipes on its own node and over TCP to
other nodes, and every rank works on its own part.
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
from worker.ranks.followers import GRACE_SECONDS, Follower, elsewhere, here
from worker.ranks.rank import Held, Rank, RankFailed


class Leader(Rank):
    """Rank 0, and the others through it: as many on each node.

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
        nodes: int = 1,
    ) -> None:
        self.numbers = itertools.count()
        self.released: Deque[int] = deque()
        started = here(range(1, count // nodes), make, arguments)
        joined = elsewhere(nodes, count // nodes, make, arguments)
        self.others: List[Follower] = [*started, *joined]
        with self._first_failure():
            for other in self.others:
                other.answer()
            super().__init__(make(*arguments, 0))
        _watch([other.life for other in self.others], wake)

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
