"""Reading ahead in a background thread, for frameworks without an input pipeline."""

from collections import deque
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Iterable, Iterator, TypeVar

from worker.adapter import Adapter
from worker.arrays import Batch
from worker.input import dataset

Item = TypeVar("Item")

END: Any = object()


def normalised_batches(adapter: Adapter, split: str) -> Iterator[Batch]:
    """Native batches of a split: the adapter's stored batches, normalised by the thread."""
    index, stored = dataset.of_job(adapter.job), adapter.stored_batches(split)
    return prefetch(adapter.batch(*batch) for batch in dataset.normalised(stored, index))


def prefetch(items: Iterable[Item], depth: int = 4) -> Iterator[Item]:
    """Iterate over `items`; one background thread makes up to `depth` of them ahead.

    Errors of `items` are raised here, at their position. The thread ends with the iteration, even
    if the iteration ends early.
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
