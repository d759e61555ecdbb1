"""Recorded runs as if they had attacked, and the images that they would have kept."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from trainmark.analyse.run.recording import Run


def attacking(run: Run) -> Iterator[Run]:
    """A run as if it had attacked, and as if it had predicted what was attacked."""
    settings = {"attack": ["fgsm", "fgsm", "deepfool"], "epsilon": [0.1, 0.3, None]}
    counts = {"count": 40, "recognised": 38, "fooled": [11, 35, 38]}
    distances = {name: [0.1, 0.3, None] for name in ("l2_mean", "l2_median")}
    distances |= {name: [0.1, 0.3, None] for name in ("linf_mean", "linf_median")}
    costs = {"predictions": [80, 80, 900], "gradients": [40, 40, 8000], "seconds": [0.1, 0.1, 9.0]}
    events = {**run.events, "attacks": {**settings, **counts, **distances, **costs}}
    attacks = other(run, stage="attack", attacks=["fgsm", "deepfool"], trained_by="numpy")
    yield replace(attacks, events=events)
    shared = {"made": [11, 35, 38], "passed": [10, 35, 5]}
    events = {**run.events, "transferred": {**settings, **counts, **shared}}
    yield replace(other(run, stage="infer", attacked_by="numpy", batch_size=1), events=events)


def kept_images(folder: Path) -> Path:
    """The folder of a run that attacked: four random images, of which three are fooled."""
    draws, labels = np.random.default_rng(1), np.array([0, 1, 2, 0])
    images, adversarial = draws.random((4, 1, 8, 8)), draws.random((2, 4, 1, 8, 8))
    np.savez(
        folder / "adversarial.npz",
        images=images,
        labels=labels,
        logits=np.eye(3)[labels],
        attacks=np.array(["fgsm", "deepfool"]),
        epsilons=np.array([0.1, np.nan]),
        found=adversarial,
        found_logits=np.eye(3)[[[1, 2, 0, 0], [0, 2, 0, 1]]],
    )
    return folder


def other(run: Run, **settings: Any) -> Run:
    """A run as if it had been of another configuration."""
    return replace(run, record={**run.record, "job": {**run.job, **settings}})
