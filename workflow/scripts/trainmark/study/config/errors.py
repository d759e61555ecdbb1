"""The error of a study that can't be measured, and how it names a position in it."""

from collections.abc import Iterable

from trainmark.errors import TrainmarkError


class StudyError(TrainmarkError):
    """A study that requests something unknown or impossible."""


def position(path: Iterable[str | int]) -> str:
    """The keys and numbers that lead to a value of a study, as `cases.lenet.batch_sizes[0]`."""
    parts = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return "".join(parts).removeprefix(".") or "the study"
