"""The steps of a case that asks for epochs."""

from collections.abc import Mapping
from typing import Any

from trainmark.study import datasets
from trainmark.study.config.errors import StudyError


def steps(where: str, settings: Mapping[str, Any], batch_size: int) -> int:
    """The steps of its window; those of its warm-up train, too, so the epochs contain them.

    Raises StudyError where they can't be told, or none is left.
    """
    if ("steps" in settings) == ("epochs" in settings):
        wanted = "remove steps or epochs" if "steps" in settings else "give steps or epochs"
        raise StudyError(f"{where}: {wanted}: a case has one of them")
    if "steps" in settings:
        return int(settings["steps"])
    count = datasets.facts(settings["dataset"]).train_count
    if count is None:
        raise StudyError(
            f"{where}: how many images {settings['dataset']} has is known only once they are "
            "there: give steps instead of epochs"
        )
    found: int = round(settings["epochs"] * (count // batch_size)) - settings["warmup_steps"]
    if found < 1:
        raise StudyError(
            f"{where}: {settings['epochs']} epochs of {count} images leave no step after the "
            f"{settings['warmup_steps']} of the warm-up; raise epochs, or lower warmup_steps"
        )
    return found
