"""An adapter for each device in a process of its own, all led by the runner's, which is rank 0.

What the leader is asked for it tells the others over pipes, and all do it with their own parts.
What a rank makes stays with it and goes by a number: no batch travels from process to process.
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

from worker.events import Unsupported

PATIENCE_SECONDS = 1.0  # for one that failed to say so, or to end


class RankFailed(Exception):
    """Another rank failed: when (seconds of the monotonic clock), and which and how in one line."""

    def __str__(self):
        """The line alone."""
        return self.args[1]


class Held:
    """What each rank holds for its own under the same number, as long as the leader has this."""

    def __init__(self, number):
        self.number = number


class Rank:
    """The adapter of one device, and what it holds."""

    def __init__(self, adapter):
        self.adapter, self.held = adapter, {}

    def obey(self, let_go, method, arguments, number=None):
        """Call a method of the adapter; what it gives is held where it gets a number."""
        for unwanted in let_go:
            del self.held[unwanted]
        own = [self.held[a.number] if isinstance(a, Held) else a for a in arguments]
        result = getattr(self.adapter, method)(*own)
        if number is not None:
            self.held[number] = result
        return result


class Leader(Rank):
    """Rank 0, and the others through it.

    `make(*arguments, rank)` gives a rank's adapter, in its process. `wake()` is called in a thread
    when another rank's process has ended and this one didn't end of it soon: what here waits for
    that rank is to give up. All methods raise RankFailed, with the first failure, where others
    failed; but Unsupported where the leader finds so, as then they all do.
    """

    def __init__(self, count, make, arguments, wake):
        self.numbers, self.let_go = itertools.count(), deque()
        self.others = [_Follower(rank, make, arguments) for rank in range(1, count)]
        with self._blaming():
            for other in self.others:
                other.answer()
            super().__init__(make(*arguments, 0))
        _watch([other.process.sentinel for other in self.others], wake)

    def tell(self, method, *arguments):
        """Let all ranks call a method; returns the leader's own result."""
        return self._order(False, method, [arguments] * (1 + len(self.others)))

    def ask(self, method, *arguments):
        """The results of all ranks, which have then done all that they were told."""
        own = self._order(True, method, [arguments] * (1 + len(self.others)))
        with self._blaming():
            return [own] + [other.answer() for other in self.others]

    def keep(self, method, *arguments):
        """Let each rank keep its result; returns what stands for it."""
        return self.keep_each(method, [arguments] * (1 + len(self.others)))

    def keep_each(self, method, arguments):
        """The same, where each rank has arguments of its own."""
        kept = Held(next(self.numbers))
        self._order(False, method, arguments, kept.number)
        weakref.finalize(kept, self.let_go.append, kept.number)
        return kept

    def own(self, kept):
        """The leader's part of what all keep."""
        return self.held[kept.number]

    def _order(self, is_question, method, arguments, *number):
        let_go = [self.let_go.popleft() for _ in range(len(self.let_go))]
        with self._blaming():
            for other, own in zip(self.others, arguments[1:]):
                other.pipe.send((is_question, let_go, method, own, *number))
            return self.obey(let_go, method, arguments[0], *number)

    @contextmanager
    def _blaming(self):
        """Raise what came first: where another rank fails, the leader does in consequence."""
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

    def failure(self):
        """The first failure of the others, None where they go on."""
        failures = filter(None, [other.failure() for other in self.others])
        return min(failures, key=lambda failure: failure.args[0], default=None)


class _Follower:
    """The leader's end of another rank, whose process it starts."""

    def __init__(self, rank, make, arguments):
        context = multiprocessing.get_context("spawn")
        self.pipe, its_end = context.Pipe()
        # Nothing is sent through it: it closes when the leader ends, however that does.
        life, self.life = context.Pipe(duplex=False)
        self.rank, self.failed, self.hearing = rank, None, threading.RLock()
        ends = its_end, life
        self.process = context.Process(
            target=_follow, args=(rank, make, arguments, *ends), daemon=True
        )
        self.process.start()
        for end in ends:
            end.close()

    def answer(self):
        """What it says next. Raises RankFailed where that is its failure or its end."""
        with self.hearing:
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

    def failure(self):
        """How it failed, None where it goes on."""
        with self.hearing, suppress(RankFailed):
            while self.failed is None and self.pipe.poll(PATIENCE_SECONDS):
                self.answer()
        return self.failed


def _follow(rank, make, arguments, pipe, life):
    """Do what the leader says until it ends."""
    faulthandler.enable()
    threading.Thread(target=_end_with, args=(life,), daemon=True).start()
    try:
        pipe.send("imported")
        own = Rank(make(*arguments, rank))
        for is_question, *order in _orders(pipe):
            result = own.obey(*order)
            if is_question:
                pipe.send(result)
    except Exception as error:
        line = (str(error).strip().splitlines() or [""])[0]
        said = f"rank {rank}: {type(error).__name__}: {line}"
        pipe.send(RankFailed(time.monotonic(), said))
        traceback.print_exc()
        os._exit(1)  # whatever its device still waits for


def _orders(pipe):
    with suppress(EOFError):
        while True:
            yield pipe.recv()


def _end_with(life):
    """End this process when the leader's does, whatever it waits for."""
    connection.wait([life])
    os._exit(1)


def _watch(sentinels, wake):
    """Call `wake` when a process ends and this one doesn't."""
    is_ending = threading.Event()
    atexit.register(is_ending.set)

    def watch():
        connection.wait(sentinels)
        if not is_ending.wait(PATIENCE_SECONDS):
            wake()

    threading.Thread(target=watch, daemon=True).start()
