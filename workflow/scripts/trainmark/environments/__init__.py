"""Isolated environments, one per framework version."""

from trainmark.errors import TrainmarkError


class Unavailable(TrainmarkError):
    """An environment that can't be had here; its runs are `unavailable`, with this reason."""
