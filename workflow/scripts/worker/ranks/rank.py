"""One of several ranks: its adapter, its stored results, and the loop by which it follows orders.

Results are numbered and stay in the rank that made them, so no batch is copied between processes.
"""

import faulthandler
import os
import threading
import time
import traceback
from contextlib import suppress
from multiprocessing import connection
from typing import Any, Callable, Dict, Iterable, Iterator, Optional, Sequence, Tuple

from worker import events


class RankFailed(Exception):
    """Another rank failed; the arguments are the time and one line that names rank and error.

    The time is in seconds since 1970, so that it can be compared between machines.
    """

    def __str__(self) -> str:
        """The line, without the time."""
        return str(self.args[1])


class Handle:
    """The handle of a method's results: each rank stores its own while this object exists.

    All ranks store them by the same number.
    """

    def __init__(self, number: int) -> None:
        self.number = number


class Rank:
    """The adapter of one device, and the stored results of its methods, by number."""

    def __init__(self, adapter: Any) -> None:
        self.adapter = adapter
        self.results: Dict[int, Any] = {}

    def call(
        self,
        released: Iterable[int],
        method: str,
        arguments: Sequence[Any],
        number: Optional[int] = None,
    ) -> Any:
        """Drop the released results, then call a method; store the result if it has a number."""
        for unused in released:
            del self.results[unused]
        values = [self.results[a.number] if isinstance(a, Handle) else a for a in arguments]
        result = getattr(self.adapter, method)(*values)
        if number is not None:
            self.results[number] = result
        return result


def follow(
    rank: int,
    make: Callable[..., Any],
    arguments: Tuple[Any, ...],
    pipe: connection.Connection,
    life: connection.Connection,
) -> None:
    """Execute the leader's orders from `pipe`, until `life` closes because the leader ended.

    `make(*arguments, rank)` makes this rank's adapter.
    """
    faulthandler.enable()
    threading.Thread(target=_end_with, args=(life,), daemon=True).start()
    try:
        pipe.send("imported")
        follower = Rank(make(*arguments, rank))
        for is_question, *order in _orders(pipe):
            result = follower.call(*order)
            if is_question:
                pipe.send(result)
    except Exception as error:
        message = f"rank {rank}: {events.in_one_line(error)}"
        pipe.send(RankFailed(time.time(), message))
        traceback.print_exc()
        os._exit(1)  # even where the device still waits for another rank


def _orders(pipe: connection.Connection) -> Iterator[Any]:
    with suppress(EOFError, ConnectionResetError):
        while True:
            yield pipe.recv()


def _end_with(life: connection.Connection) -> None:
    """End this process when the leader's process ends, even in the middle of a call."""
    connection.wait([life])
    os._exit(1)
