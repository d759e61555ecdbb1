"""An adapter of one device in a few lines, for the tests of ranks: its batches are lists."""

import os
import signal
import time


class LittleAdapter:
    """Counts up to a limit by its own step, and fails as it is told."""

    def __init__(self, start: int, rank: int) -> None:
        self.rank, self.position = rank, start

    def batch(self, *items: int) -> list[int]:
        return [self.rank, *items]

    def add(self, batch: list[int]) -> int:
        self.position += sum(batch)
        return self.position

    def work(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.position += 1

    def pid(self) -> int:
        return os.getpid()

    def fail(self, rank: int) -> None:
        if self.rank == rank:
            raise ValueError(f"no luck\nin rank {rank}")

    def die(self, rank: int) -> None:
        if self.rank == rank:
            os.kill(os.getpid(), signal.SIGKILL)
