"""Generation: a language model continues texts, token by token, by what it kept of earlier tokens.

A text of the batch has as many tokens as the network; `steps` of them are generated, and those
before are the prompt. The next token is the one of the largest logit. Each generation begins with
the prefill, one pass over the prompts that gives the first token and fills the caches. Each further
token is a call of its own, which reads one token of each text.

First generations are waited for token by token; then whole generations follow without waiting.
Afterwards one pass over all generated texts tells whether their tokens are those that it gives.
"""

import time
from typing import Any, Iterator, List, NamedTuple

import numpy

from worker import events
from worker.adapter import Adapter
from worker.arrays import Batch, Weights
from worker.input import fixed_batch
from worker.job import Job
from worker.networks.neutral.builder import Network
from worker.proof import observe, tolerances
from worker.timing import calls, windows

MAIN_METRIC = "generation_speed"
UPDATES_WEIGHTS = False
INPUT_MODES = ("synthetic",)

OBSERVE = observe.generation


class Waited(NamedTuple):
    """A generation that was waited for: the seconds of its calls, and its tokens (n, steps)."""

    prefill_seconds: float
    call_seconds: List[float]
    tokens: numpy.ndarray


def run(adapter: Adapter, job: Job, network: Network, initial: Weights, batch: Batch) -> None:
    """Time generations from the prompts of the fixed `batch`, at the initial weights."""
    adapter.load(initial)
    calls.warm_up(adapter, job, lambda: waited(adapter, batch, job.steps))
    start = time.monotonic()
    generations: List[Waited] = []
    while not generations or time.monotonic() - start < job.window_seconds:
        generations.append(waited(adapter, batch, job.steps))
    seconds = [each for generation in generations for each in generation.call_seconds]
    events.emit("latency", start_seconds=start, call_seconds=seconds)
    prefills = [generation.prefill_seconds for generation in generations]
    prompt_tokens = network.token_count - job.steps
    events.emit("prefill", prompt_tokens=prompt_tokens, call_seconds=prefills)
    last = queued(adapter, job, batch)
    check_tokens(adapter, job, generations[-1].tokens, last)


def generation(adapter: Adapter, batch: Batch, steps: int) -> Iterator[Any]:
    """Generate `steps` tokens of each text, one in each iteration; nothing is waited for."""
    tokens = adapter.prefill(batch)
    yield tokens
    for _ in range(steps - 1):
        tokens = adapter.decode(tokens)
        yield tokens


def waited(adapter: Adapter, batch: Batch, steps: int) -> Waited:
    """Generate `steps` tokens of each text, and wait for each of them."""
    read, ends = [], [time.monotonic()]
    for tokens in generation(adapter, batch, steps):
        read.append(adapter.fetch(tokens))
        ends.append(time.monotonic())
    prefill, *calls_after = [end - begin for begin, end in zip(ends, ends[1:])]
    return Waited(prefill, calls_after, numpy.stack(read, axis=1).astype(numpy.int64))


def queued(adapter: Adapter, job: Job, batch: Batch) -> numpy.ndarray:
    """Time a window of whole generations, one or as many as the job's minimum of seconds needs.

    Returns the last tokens (n,) of the last one.
    """
    ends: List[float] = []
    adapter.synchronise()
    start = time.monotonic()
    while not ends or ends[-1] < job.window_seconds:
        for tokens in generation(adapter, batch, job.steps):
            last = tokens
            ends.append(time.monotonic() - start)
    adapter.synchronise()
    windows.report(job, start, time.monotonic(), ends)
    return adapter.fetch(last).astype(numpy.int64)


def check_tokens(adapter: Adapter, job: Job, tokens: numpy.ndarray, last: numpy.ndarray) -> None:
    """Emit how many generated tokens one pass over the whole texts gives, too.

    tokens: those of the distinct texts' generation that was waited for (n, steps), and of their
    copies; last: the last ones of a queued generation (n,). A token whose logit is as large as the
    largest one, as far as the proof's limit tells, is a tie. Raises events.ParityFailed for any
    other token, and where both generations differ.
    """
    if (tokens[:, -1] != last).any():
        raise events.ParityFailed("a queued generation ends in other tokens than one waited for")
    images, labels = fixed_batch.distinct(job)
    tokens = tokens[: len(images)]
    images[..., -job.steps :] = tokens[:, None, None]
    logits, _ = adapter.predict(adapter.batch(images, labels))
    logits = logits[:, -job.steps - 1 : -1]
    chosen = numpy.take_along_axis(logits, tokens[..., None], axis=-1)[..., 0]
    behind = (logits.max(axis=-1) - chosen) / numpy.abs(logits).max()
    same = logits.argmax(axis=-1) == tokens
    limit = 2 * tolerances.of_logits(job)
    ties = ~same & (behind <= limit)
    events.emit("generated", tokens=tokens.size, same=int(same.sum()), ties=int(ties.sum()))
    if not (same | ties).all():
        raise events.ParityFailed(
            f"{int((~same & ~ties).sum())} of {tokens.size} generated tokens aren't those of one "
            f"pass over the whole texts: logits behind the largest by up to {behind.max():.1e} "
            f"(allowed {limit:.0e})"
        )
