"""The update in Caffe: its own solvers, with factors of rate and decay for each blob."""

from typing import Any, Dict

import caffe

from worker.frameworks.caffe.layers import BLOBS
from worker.networks.neutral.builder import TRAINABLE_ROLES, Network
from worker.networks.neutral.update_rule import BETAS, UpdateRule

SOLVERS = {"sgd": caffe.SGDSolver, "adam": caffe.AdamSolver}
TYPES = {"sgd": "SGD", "adam": "Adam"}


def add_factors(message: Any, network: Network, update_rule: UpdateRule) -> None:
    """Add the factors of rate and decay of each trained blob to a NetParameter."""
    parts = {part.name: part for part in message.layer}
    for layer in network.layers:
        for weight in layer.weights:
            if weight.role in TRAINABLE_ROLES:
                suffix, _ = BLOBS[weight.role]  # their blobs are in the order of the weights
                factor, decay = update_rule.group(weight)
                parts[layer.name + suffix].param.add(lr_mult=factor, decay_mult=decay)


def settings(update_rule: UpdateRule) -> Dict[str, Any]:
    """The fields of a SolverParameter; the velocity holds the rates of its gradients."""
    common = dict(
        type=TYPES[update_rule.optimiser],
        base_lr=update_rule.learning_rate,
        lr_policy="fixed",
        weight_decay=1,  # times that of each blob
    )
    if update_rule.optimiser == "adam":
        momentum, momentum2 = BETAS
        return dict(common, momentum=momentum, momentum2=momentum2, delta=update_rule.epsilon)
    return dict(common, momentum=update_rule.momentum)


def policy(schedule: Dict[str, Dict[str, Any]]) -> Dict[str, Any]:
    """A schedule as fields of a SolverParameter, for Caffe's own program."""
    if "inverse" in schedule:
        return dict(lr_policy="inv", **schedule["inverse"])
    if "steps" not in schedule:
        return dict(lr_policy="fixed")
    steps = schedule["steps"]
    if "at" in steps:
        return dict(lr_policy="multistep", stepvalue=steps["at"], gamma=steps["factor"])
    return dict(lr_policy="step", stepsize=steps["every"], gamma=steps["factor"])
