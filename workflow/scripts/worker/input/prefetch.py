"""Reading ahead in a background thread, for frameworks without a pipeline of their own."""

from collections import deque
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Iterable, Iterator, TypeVar

Item = TypeVar("Item")

END: Any = object()


def prefetch(items: Iterable[Item], depth: int = 4) -> Iterator[Item]:
    """Iterate over `items`, with up to `depth` of them made ahead in one background thread.

    What `items` raises is raised here, in its place. The thread ends with the iteration, also
    where that is given up early.
    """
    items = iter(items)
    with ThreadPoolExecutor(1) as thread:
        ahead = deque(thread.submit(next, items, END) for _ in range(depth))
        try:
            item = ahead.popleft().result()
            while item is not END:
                ahead.append(thread.submit(next, items, END))
                yield item
                item = ahead.popleft().result()
        finally:
            for future in ahead:
                future.cancel()
