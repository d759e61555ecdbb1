"""What is told of a study that can't be measured."""

from trainmark.errors import TrainmarkError


class StudyError(TrainmarkError):
    """A study that asks for something unknown or impossible."""
