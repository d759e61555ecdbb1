"""Caffe2's nets of a network, for one device or several: for training, prediction, gradients."""

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
    """A net that does a step on the blobs `images` and `labels` of each device.

    It writes the blob `loss` on each device; on several nodes, the `world`, the sum of theirs. It
    also reads the blobs `one`, `share` (each device's share of a mean) and the optimiser's state.
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
    return seeded(net, job)


def differentiation(network: Network, replica: Replica, job: Job) -> core.Net:
    """A net of a step's two passes on one device: the loss, and each gradient as gradient(name)."""
    net = core.Net("differentiation")
    gradients = add_loss(net, network, replica, job.device_batch_size)
    with replica.scope():
        for weight in network.trainable:
            add_gradient(net, weight.name, gradients[weight.name])
    return seeded(net, job)


def evaluation(network: Network, replicas: List[Replica], kinds: Kinds) -> core.Net:
    """A net that predicts the `images` of each device; its logits are the last layer's blob."""
    net = core.Net("evaluation")
    for replica in replicas:
        with replica.scope():
            add_layers(net, network, kinds)
    return net


def pullback(network: Network, replica: Replica) -> core.Net:
    """A net from `cotangents` of the logits to gradient("images")."""
    net = core.Net("pullback")
    with replica.scope():
        logits = add_layers(net, network, layers.evaluation(network))
        cotangents = core.ScopedBlobReference("cotangents", net)
        net.AddExternalInput(cotangents)
        gradients = net.AddGradientOperators({logits: cotangents})
        layers.plain(net, gradients[replica.blob("images")], gradient("images"))
    return net


def add_layers(net: core.Net, network: Network, kinds: Kinds) -> core.BlobReference:
    """Add the forward pass; return its logits."""
    images = core.ScopedBlobReference("images", net)
    net.AddExternalInput(images)
    return forward(network, kinds, images, {weight.name: weight.name for weight in network.weights})


def add_loss(
    net: core.Net, network: Network, replica: Replica, batch_size: int
) -> Dict[str, core.BlobReference]:
    """Add the loss of a device's part of a batch; return {weight: its gradient} on the device."""
    earlier = len(net.Proto().op)
    with replica.scope():
        logits = add_layers(net, network, layers.training(network, batch_size, replica.host))
        axis = len(network.layers[-1].shape)
        _, loss = net.SoftmaxWithLoss([logits, "labels"], ["softmax", "loss"], axis=axis)
        return net.AddGradientOperators([loss], skip=earlier)


def add_update(
    net: core.Net,
    weight: Weight,
    optimiser: Optimiser,
    replicas: List[Replica],
    gradients: List[Dict[str, core.BlobReference]],
    world: Optional[World],
) -> None:
    """Add a trainable weight's gradient over the whole batch, and its update, in place."""
    name, mean = weight.name, gradient(weight.name)
    for replica, by_blob in zip(replicas, gradients):
        with replica.scope():
            add_gradient(net, name, by_blob[replica.blob(name)])
    add_mean(net, replicas, mean, world)
    for replica in replicas:
        with replica.scope():
            optimiser.add(net, weight, mean)


def add_gradient(net: core.Net, name: str, blob: Union[Blob, core.GradientSlice]) -> None:
    """Add the dense gradient of a weight in plain layout; that of a table comes as rows."""
    if isinstance(blob, core.GradientSlice):
        blob = net.SparseToDense([blob.indices, blob.values, name], gradient(name) + "/rows")
    layers.plain(net, blob, gradient(name))


def gradient(name: str) -> str:
    """The name of the blob of a weight's gradient."""
    return name + "/gradient"


def seeded(net: core.Net, job: Job) -> core.Net:
    """The net, each of whose operators has a seed of its own."""
    for number, operator in enumerate(net.Proto().op):
        operator.device_option.random_seed = job.seed + number
    return net
