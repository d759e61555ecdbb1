"""The log of `benchmark_model`, TensorFlow Lite's own benchmark, as it runs on phones.

It names a model, loads it, warms up, calls it and prints averages. A log may have several of these,
one after the other, and before its lines the prefix of the phone's log.

Source: https://github.com/tensorflow/tensorflow/tree/master/tensorflow/lite/tools/benchmark
(benchmark_model.cc, benchmark_tflite_model.cc).
"""

import re
from typing import NamedTuple

NUMBER = r"([\d.]+(?:e[+-]?\d+)?)"
GRAPH = re.compile(r"\bGraph: \[(.*)\]")
THREADS = re.compile(r"\bNum threads: \[(\d+)\]")
USED = re.compile(r"\bUse (\w+): \[(?:1|true)\]")
SIZE = re.compile(rf"The input model file size \(MB\): {NUMBER}")
TIMES = re.compile(
    rf"Inference timings in us: Init: {NUMBER}, First inference: {NUMBER}, "
    rf"Warmup \(avg\): {NUMBER}, Inference \(avg\): {NUMBER}"
)
# Older versions call it the peak; it is what the tool needs more than at its start, in MiB.
MEMORY = re.compile(
    r"(?:Memory footprint delta from the start of the tool|Peak memory footprint) \(MB\): "
    rf"init={NUMBER} overall={NUMBER}"
)


class Benchmark(NamedTuple):
    """Values of one model; None where the tool's version doesn't print them.

    Attributes:
        graph: the model's path on the phone.
        size: the size of its file as it is written, in MB (1e6) with six digits.
        threads: those that were requested.
        used: what computed but the CPU's kernels: `gpu`, `nnapi`, as its switches call them.
        init_ms: loading the model and preparing to call it.
        first_ms: the first call.
        mean_ms: the average call, after those that warm up.
        memory_mib: what all of it took, at most.

    """

    graph: str
    size: str | None
    threads: int | None
    used: str
    init_ms: float
    first_ms: float
    mean_ms: float
    memory_mib: float | None


def benchmarks(log: str) -> list[Benchmark]:
    """All that came to their end, in their order."""
    ends = list(TIMES.finditer(log))
    starts = [0, *(end.end() for end in ends)]
    following = [*(end.start() for end in ends[1:]), len(log)]
    return [
        _benchmark(log[start : end.start()], end, log[end.end() : after])
        for start, end, after in zip(starts, ends, following, strict=False)
    ]


def _benchmark(before: str, times: re.Match[str], after: str) -> Benchmark:
    """A benchmark, from the text before and behind the line of its times."""
    *_, graph = GRAPH.findall(before) or ["?"]
    used = USED.findall(before.rpartition("Graph: [")[2])
    memory, threads = MEMORY.search(after), _last(THREADS, before)
    init, first, _, mean = (float(microseconds) / 1000 for microseconds in times.groups())
    return Benchmark(
        graph=graph,
        size=_last(SIZE, before),
        threads=int(threads) if threads else None,
        used=" ".join(name.lower() for name in used),
        init_ms=init,
        first_ms=first,
        mean_ms=mean,
        memory_mib=float(memory[2]) if memory else None,
    )


def _last(what: re.Pattern[str], text: str) -> str | None:
    matches = what.findall(text)
    return matches[-1] if matches else None
