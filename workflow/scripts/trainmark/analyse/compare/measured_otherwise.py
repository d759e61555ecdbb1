"""What later formats measure otherwise than earlier ones, as CHANGELOG.md has it."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple


class Change(NamedTuple):
    """A change by which values aren't comparable with earlier ones.

    Attributes:
        format: the first format of results that has it (trainmark.runs.formats).
        metrics: the names of the metrics whose values it changes.
        text: what changed, in a few words.

    """

    format: int
    metrics: Sequence[str]
    text: str


CHANGES = (
    Change(
        2,
        ("step_time_p90", "step_time_p99"),
        "step_time_p90 and step_time_p99 take 36 and 368 steps instead of 8",
    ),
    Change(
        4,
        ("gpu_idle_power", "gpu_memory", "gpu_memory_mean"),
        "gpu_idle_power is the lowest reading, not the mean; gpu_memory and gpu_memory_mean, where "
        "they aren't told by process, leave out what the driver reserves",
    ),
    Change(
        7,
        ("time_to_accuracy",),
        "time_to_accuracy leaves out what is read before the first step",
    ),
)


def between(one: int, other: int, metric: str) -> Iterator[str]:
    """Each change of a metric between results of two formats, in words."""
    earlier, later = sorted((one, other))
    for change in CHANGES:
        if earlier < change.format <= later and metric in change.metrics:
            yield f"measured otherwise: {change.text}"
