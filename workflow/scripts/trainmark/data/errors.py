"""Errors in the files of a data set."""

from trainmark.errors import TrainmarkError


class DataError(TrainmarkError):
    """A file of a data set whose content is not what the data set's description promises."""
