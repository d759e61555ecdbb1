"""What no schema can say of a case's update: refusing it in one line."""

from collections.abc import Mapping
from typing import Any

import numpy

from trainmark.study.config.errors import StudyError
from worker.networks.neutral.builder import TRAINABLE_ROLES, Network
from worker.networks.neutral.update_rule import of_settings

LEAST_RATE = float(numpy.finfo(numpy.float32).tiny)


def check(where: str, settings: Mapping[str, Any], network: Network, steps: int) -> None:
    """The settings of a case's update make sense together, for its network and its steps."""
    if settings["optimiser"] == "adam" and settings["momentum"]:
        raise StudyError(f"{where}: momentum is of sgd; adam has its own two: leave it out")
    _check_schedule(where, settings, steps - 1)
    decay = settings["weight_decay"]
    trained = [weight.name for weight in network.weights if weight.role in TRAINABLE_ROLES]
    for name in decay if isinstance(decay, dict) else ():
        if name not in trained:
            raise StudyError(
                f"{where}: weight_decay names {name}, which is no trained tensor of "
                f"{settings['network']}; they are {', '.join(trained)}"
            )


def _check_schedule(where: str, settings: Mapping[str, Any], last: int) -> None:
    """The last step still has a rate that float32 has."""
    steps = settings["schedule"].get("steps")
    if steps and ("at" in steps) == ("every" in steps):
        raise StudyError(f"{where}: schedule.steps: give either at or every")
    if steps and steps.get("at", []) != sorted(steps.get("at", [])):
        raise StudyError(f"{where}: schedule.steps.at: put the steps in ascending order")
    update_rule = of_settings({"learning_rate": 1.0, **settings})  # which prediction has none of
    if update_rule.rate(last) < LEAST_RATE:
        raise StudyError(
            f"{where}: schedule: the learning rate is 0 at the last step, {last}; choose a larger "
            "factor, or later steps"
        )
