"""What no schema can say of a case's evaluations."""

from collections.abc import Mapping
from typing import Any

from trainmark.study.config.errors import StudyError


def check(where: str, settings: Mapping[str, Any], steps: int, classes: int) -> None:
    """A case's evaluations make sense; `steps` are the most that it trains."""
    if settings["window_seconds"] and settings["evaluate"]:
        raise StudyError(
            f"{where}: with window_seconds each framework trains for a number of steps of its own, "
            "so their accuracy can't be compared; set evaluate to false, or raise steps instead"
        )
    every = settings["evaluate_every"]
    if every > steps:
        raise StudyError(
            f"{where}: evaluate_every {every} is more than the {steps} steps of the training; "
            "choose a smaller one"
        )
    target = settings.get("target_accuracy")
    if target is not None and target <= 100 / classes:
        raise StudyError(
            f"{where}: target_accuracy {target} is in percent, of which guessing among {classes} "
            f"classes gives {100 / classes:g}; choose a larger one"
        )
    if target is not None and not every:
        raise StudyError(
            f"{where}: target_accuracy needs evaluate_every, the steps from one evaluation to the "
            "next"
        )
