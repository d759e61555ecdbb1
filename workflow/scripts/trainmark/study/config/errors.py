"""What is told of a study that can't be measured."""

from collections.abc import Iterable

from trainmark.errors import TrainmarkError


class StudyError(TrainmarkError):
    """A study that asks for something unknown or impossible."""


def position(path: Iterable[str | int]) -> str:
    """Where in a study the keys and numbers lead, as `cases.lenet.batch_sizes[0]`."""
    parts = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return "".join(parts).removeprefix(".") or "the study"
