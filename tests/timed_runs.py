"""Runs that took known times, and the durations that the forecast has of them."""

from little_record import record

from trainmark.study import axes
from trainmark.watch.durations import Durations

SETTINGS = {
    **axes.DEFAULTS,
    "study": "study",
    "framework": "pytorch",
    "network": "lenet",
    "image_shape": [1, 28, 28],
    "classes": 10,
    "batch_size": 64,
    "stage": "train",
    "steps": 100,
    "warmup_seconds": 0,
}
JAX = {**SETTINGS, "framework": "jax"}
STEP_SECONDS = 0.01
OVERHEAD_SECONDS = 5.0


def measured(settings=SETTINGS, step_seconds=STEP_SECONDS, **changes):
    """A run.json of as many steps as the settings have, and the seconds of the whole run."""
    window_seconds = settings["steps"] * step_seconds
    content = record(
        job=settings,
        window={"start_seconds": 1.0, "end_seconds": 1.0 + window_seconds},
        images=settings["steps"] * settings["batch_size"],
        wall_seconds=window_seconds + OVERHEAD_SECONDS,
    )
    content.update(changes)
    return content, content["wall_seconds"]


def of(*runs):
    durations = Durations()
    for content, seconds in runs:
        durations.add(content, seconds)
    return durations
