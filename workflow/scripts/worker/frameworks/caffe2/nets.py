"""Caffe2's two nets of a network, for one device or several: one trains, the other predicts."""

from typing import Dict, List, Optional, Union

from caffe2.python import core
from caffe2.python.core import BlobReference as Blob

from worker.frameworks.caffe2 import layers
from worker.frameworks.caffe2.devices import Replica, World, add_mean
from worker.frameworks.caffe2.optimiser import Optimiser
from worker.job import Job
from worker.networks.neutral.builder import TRAINABLE_ROLES, Network, Weight
from worker.networks.neutral.forward import Kinds, forward


def training(
    network: Network,
    optimiser: Optimiser,
    replicas: List[Replica],
    job: Job,
    world: Optional[World],
) -> core.Net:
    """A net that steps on the `images` and `labels` of each device and leaves their `loss` there.

    Of several nodes, which `world` is, it leaves the sum of theirs. It takes `one`, each device's
    `share` of a mean and the optimiser's state from blobs, too.
    """
    net = core.Net("training")
    size = job.device_batch_size
    gradients = [add_loss(net, network, replica, size) for replica in replicas]
    for weight in network.weights:
        if weight.role in TRAINABLE_ROLES:
            add_update(net, weight, optimiser, replicas, gradients, world)
        else:  # a running statistic
            add_mean(net, replicas, weight.name, world)
    for replica in replicas:
        with replica.scope(), core.DeviceScope(replica.host):
            optimiser.count(net)
            if world:
                world.add_sum(net, "loss")
    for number, operator in enumerate(net.Proto().op):
        operator.device_option.random_seed = job.seed + number
    return net


def differentiation(network: Network, replica: Replica, job: Job) -> core.Net:
    """A net of a step's two passes on one device: the loss, and each gradient as gradient(name)."""
    net = core.Net("differentiation")
    found = add_loss(net, network, replica, job.device_batch_size)
    with replica.scope():
        for weight in network.weights:
            if weight.role in TRAINABLE_ROLES:
                add_gradient(net, weight.name, found[weight.name])
    for number, operator in enumerate(net.Proto().op):
        operator.device_option.random_seed = job.seed + number
    return net


def evaluation(network: Network, replicas: List[Replica]) -> core.Net:
    """A net that predicts the `images` of each device: its logits are the last layer's blob."""
    net = core.Net("evaluation")
    for replica in replicas:
        with replica.scope():
            add_layers(net, network, layers.evaluation(network))
    return net


def pullback(network: Network, replica: Replica) -> core.Net:
    """A net that takes `cotangents` of the logits back to gradient("images")."""
    net = core.Net("pullback")
    with replica.scope():
        logits = add_layers(net, network, layers.evaluation(network))
        cotangents = core.ScopedBlobReference("cotangents", net)
        net.AddExternalInput(cotangents)
        found = net.AddGradientOperators({logits: cotangents})
        layers.plain(net, found[replica.blob("images")], gradient("images"))
    return net


def add_layers(net: core.Net, network: Network, kinds: Kinds) -> core.BlobReference:
    """The forward pass; returns its logits."""
    images = core.ScopedBlobReference("images", net)
    net.AddExternalInput(images)
    return forward(network, kinds, images, {weight.name: weight.name for weight in network.weights})


def add_loss(
    net: core.Net, network: Network, replica: Replica, batch_size: int
) -> Dict[str, core.BlobReference]:
    """The loss of a device's part of a batch; returns {weight: its gradient} there."""
    others = len(net.Proto().op)
    with replica.scope():
        logits = add_layers(net, network, layers.training(network, batch_size, replica.host))
        _, loss = net.SoftmaxWithLoss([logits, "labels"], ["softmax", "loss"])
        return net.AddGradientOperators([loss], skip=others)


def add_update(
    net: core.Net,
    weight: Weight,
    optimiser: Optimiser,
    replicas: List[Replica],
    gradients: List[Dict[str, core.BlobReference]],
    world: Optional[World],
) -> None:
    """A trainable weight's gradient over the whole batch, and its update, in place."""
    name, own = weight.name, gradient(weight.name)
    for replica, found in zip(replicas, gradients):
        with replica.scope():
            add_gradient(net, name, found[replica.blob(name)])
    add_mean(net, replicas, own, world)
    for replica in replicas:
        with replica.scope():
            optimiser.add(net, weight, own)


def add_gradient(net: core.Net, name: str, found: Union[Blob, core.GradientSlice]) -> None:
    """The whole gradient of a weight in plain layout; of a table rows are found."""
    if isinstance(found, core.GradientSlice):
        found = net.SparseToDense([found.indices, found.values, name], gradient(name) + "/rows")
    layers.plain(net, found, gradient(name))


def gradient(name: str) -> str:
    """The blob of a weight's gradient."""
    return name + "/gradient"
