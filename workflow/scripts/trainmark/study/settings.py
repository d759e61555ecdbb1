"""What a study trains with, case by case, for whoever reads its results."""

from collections.abc import Iterable, Iterator
from typing import Any

from trainmark.study.datasets import facts
from trainmark.study.plan import Run

SETTINGS = (
    "case",
    "dataset",
    "network",
    "batch_size",
    "steps",
    "max_seconds",
    "warmup_steps",
    "learning_rate",
    "momentum",
    "weight_decay",
)
ALL = "all"


def rows(runs: Iterable[Run]) -> Iterator[dict[str, Any]]:
    """One row per case, or several where overrides give its frameworks different settings.

    Columns: SETTINGS, epochs (of the window, in passes over the training images) and frameworks.
    """
    found: dict[tuple[Any, ...], list[str]] = {}
    everyone: dict[str, None] = {}
    for run in runs:
        key = tuple(run.settings[name] for name in SETTINGS)
        framework = run.settings["framework"]
        everyone[framework] = None
        if framework not in found.setdefault(key, []):
            found[key].append(framework)
    for key, frameworks in found.items():
        named = dict(zip(SETTINGS, key, strict=True))
        images = named["steps"] * named["batch_size"]
        count = facts(named["dataset"]).train_count
        epochs = round(images / count, 3) if count else None
        who = ALL if len(frameworks) == len(everyone) else ", ".join(frameworks)
        yield {**named, "epochs": epochs, "frameworks": who}
