"""Why a run that was about to be measured can't be: its record says so."""

from trainmark.errors import TrainmarkError


class NotMeasured(TrainmarkError):
    """The reason, in a line; `status` is that of the run."""

    status = "failed"
