"""Sums of several nodes' samples, by the first one's clock: pure functions."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from trainmark.machine.cpu_load import Load
from trainmark.machine.gpu import GpuSample
from trainmark.machine.telemetry import Sample

NO_SUMS = ("time_seconds", "cpu_megahertz", "gpus")


class Clocks(NamedTuple):
    """CLOCK_MONOTONIC of the first node and of another one at the same moment, in seconds."""

    here: float
    there: float


def by_first_clock(samples: Sequence[Sample], before: Clocks, after: Clocks) -> list[Sample]:
    """Another node's samples at the first one's times.

    The clocks differ, and run apart by some millionths: both were read before and after.
    """
    rate = (after.here - before.here) / (after.there - before.there)
    return [
        each._replace(time_seconds=before.here + rate * (each.time_seconds - before.there))
        for each in samples
    ]


def samples(nodes: Sequence[Sequence[Sample]]) -> Sequence[Sample]:
    """The first node's samples with what the others had at those moments added.

    GPUs are side by side; the clock is the processors' mean. None is what one node doesn't report.
    """
    first, *others = nodes
    if not others:
        return first
    return [
        _together([sample, *moment])
        for sample, *moment in zip(first, *(_at(first, other) for other in others), strict=True)
    ]


def loads(nodes: Iterable[Load]) -> Load:
    """Cores kept busy on all nodes."""
    return Load(*(round(sum(cores), 4) for cores in zip(*nodes, strict=True)))


def _together(nodes: Sequence[Sample]) -> Sample:
    """The sums of samples of one moment."""
    first = nodes[0]
    clocks = _if_complete([each.cpu_megahertz for each in nodes])
    values: dict[str, Any] = {
        name: sum(numbers)
        if (numbers := _if_complete([getattr(each, name) for each in nodes]))
        else None
        for name in Sample._fields
        if name not in NO_SUMS
    }
    return first._replace(
        **values,
        cpu_megahertz=sum(clocks) / len(clocks) if clocks else None,
        gpus=tuple(gpu for each in nodes for gpu in each.gpus),
    )


def _at(moments: Sequence[Sample], other: Sequence[Sample]) -> Iterator[Sample]:
    """Another node's samples at the times of some; at the edges its first and last one."""
    times = [each.time_seconds for each in other]
    for moment in moments:
        right = min(max(1, bisect_left(times, moment.time_seconds)), len(other) - 1)
        before, after = other[max(0, right - 1)], other[right]
        length = after.time_seconds - before.time_seconds
        share = (moment.time_seconds - before.time_seconds) / length if length > 0 else 0.0
        yield _between(before, after, min(1.0, max(0.0, share)))


def _between(before: Sample, after: Sample, share: float) -> Sample:
    gpus = [GpuSample(*_values(pair, share)) for pair in zip(before.gpus, after.gpus, strict=True)]
    values = _values((before, after), share)
    return Sample(*values)._replace(gpus=tuple(gpus))


def _values(pair: tuple[Sequence[Any], Sequence[Any]], share: float) -> list[Any]:
    """Interpolated values where they are real numbers; else those of the nearer one."""
    return [
        a + share * (b - a) if isinstance(a, float) and isinstance(b, float) else near
        for a, b, near in zip(*pair, pair[share > 0.5], strict=True)
    ]


def _if_complete(values: Sequence[Any]) -> list[Any]:
    """The values where none is None; nothing otherwise."""
    return [] if None in values else list(values)
