"""Generation: a language model continues texts, token by token, by what it kept of earlier tokens.

A text of the batch has as many tokens as the network; `steps` of them are generated, and those
before are the prompt. The next token is the one of the largest logit. Each generation begins with
the prefill, one pass over the prompts that gives the first token and fills the caches. Each further
token is a call of its own, which reads one token of each text.

First generations are waited for token by token; then whole generations follow without waiting.
Afterwards the tokens of the last one are checked by one pass over the whole texts.
"""

import time
from typing import Any, Iterator, List

import numpy

from worker import events
from worker.adapter import Adapter
from worker.arrays import Batch, Weights
from worker.job import Job
from worker.networks.neutral.builder import Network
from worker.proof import generated, observe
from worker.timing import calls, windows

MAIN_METRIC = "generation_speed"
UPDATES_WEIGHTS = False
INPUT_MODES = ("synthetic",)

OBSERVE = observe.generation


def run(adapter: Adapter, job: Job, network: Network, initial: Weights, batch: Batch) -> None:
    """Time generations from the prompts of the fixed `batch`, at the initial weights."""
    adapter.load(initial)
    calls.warm_up(adapter, job, lambda: waited(adapter, batch, job.steps))
    start = time.monotonic()
    prefills: List[float] = []
    decodes: List[float] = []
    while not prefills or time.monotonic() - start < windows.least_seconds(job):
        prefill, *others = waited(adapter, batch, job.steps)
        prefills.append(prefill)
        decodes += others
    events.emit("latency", start_seconds=start, call_seconds=decodes)
    prompt_tokens = network.token_count - job.steps
    events.emit("prefill", prompt_tokens=prompt_tokens, call_seconds=prefills)
    generated.check(adapter, job, queued(adapter, job, batch))


def generation(adapter: Adapter, batch: Batch, steps: int) -> Iterator[Any]:
    """Generate `steps` tokens of each text, one in each iteration; nothing is waited for."""
    tokens = adapter.prefill(batch)
    yield tokens
    for _ in range(steps - 1):
        tokens = adapter.decode(tokens)
        yield tokens


def waited(adapter: Adapter, batch: Batch, steps: int) -> List[float]:
    """The seconds of each call of a generation: until its tokens are on the host."""
    ends = [time.monotonic()]
    for tokens in generation(adapter, batch, steps):
        adapter.fetch(tokens)
        ends.append(time.monotonic())
    return [end - start for start, end in zip(ends, ends[1:])]


def queued(adapter: Adapter, job: Job, batch: Batch) -> numpy.ndarray:
    """Time a window of whole generations, one or as many as the job's minimum of seconds needs.

    Returns the tokens of the last one, int64 (n, steps).
    """
    ends: List[float] = []
    adapter.synchronise()
    start = end = time.monotonic()
    while not ends or end - start < windows.least_seconds(job):
        generated_tokens: List[Any] = []
        for tokens in generation(adapter, batch, job.steps):
            generated_tokens.append(tokens)
            ends.append(time.monotonic() - start)
        adapter.synchronise()
        end = time.monotonic()
    windows.report(job, start, end, ends)
    return numpy.stack([adapter.fetch(each) for each in generated_tokens], axis=1).astype(
        numpy.int64
    )
