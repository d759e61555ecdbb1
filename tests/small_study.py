"""A study of one case and two frameworks, and changes of it, for the tests of plans."""

import copy
from pathlib import Path

from trainmark.study import plan

ENVIRONMENTS = Path(__file__).parents[1] / "envs"
STUDY = {
    "study": "example",
    "protocol": 1,
    "repeats": 2,
    "seed": 1,
    "frameworks": ["numpy", {"framework": "numpy-again", "adapter": "numpy"}],
    "cases": {
        "lenet-digits": {
            "network": "lenet",
            "dataset": "digits",
            "batch_size": 64,
            "steps": 10,
            "learning_rate": 0.01,
        }
    },
}


def make(**changes):
    return plan.make({**copy.deepcopy(STUDY), **changes}, ENVIRONMENTS)


def case(**changes):
    return {"lenet-digits": {**STUDY["cases"]["lenet-digits"], **changes}}


def params(study):
    """The settings of each run of a planned study, by its path."""
    return {path: run.params for path, run in study.runs.items()}
