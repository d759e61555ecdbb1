"""The update in MXNet: gluon.Trainer's, with factors of rate and decay for each parameter."""

from typing import Any, Dict

from mxnet import gluon

from worker.networks.neutral.builder import Network
from worker.networks.neutral.update_rule import BETAS, UpdateRule


def trainer(
    network: Network,
    update_rule: UpdateRule,
    parameters: gluon.ParameterDict,
    store: Any,
) -> gluon.Trainer:
    """A new trainer, without momenta; its velocity contains rates, as trainmark's does.

    `store` is the key-value store by which devices exchange gradients. The trainer has no running
    statistics: on several devices it would set them to the first device's.
    """
    trained = {}
    for weight in network.trainable:
        parameter = trained[weight.name] = parameters[weight.name]
        parameter.lr_mult, parameter.wd_mult = update_rule.group(weight)
    return gluon.Trainer(trained, update_rule.optimiser, settings(update_rule), store)


def settings(update_rule: UpdateRule) -> Dict[str, Any]:
    """The arguments of MXNet's optimiser."""
    common = {"learning_rate": update_rule.learning_rate, "wd": 1.0}  # times that of each parameter
    if update_rule.optimiser == "adam":
        beta1, beta2 = BETAS
        return dict(common, beta1=beta1, beta2=beta2, epsilon=update_rule.epsilon)
    return dict(common, momentum=update_rule.momentum)
