"""What a run may take of its machine: upper bounds, for schedulers that want them beforehand."""

import math
from collections.abc import Container, Mapping
from functools import cache
from typing import Any

from trainmark.study import datasets, machines
from trainmark.study.config.errors import StudyError
from worker import devices, networks

FLOAT32_BYTES = 4
# A framework's libraries and its own pools: 0.1 to 0.5 GB once imported, more once it computes.
FRAMEWORK_BYTES = 2_000_000_000
# Weights, gradients, momentum, the initial weights, the reference's, and copies between layouts.
# Caffe takes most: VGG-16 in its published form, on a batch of 4, 8.5 GB.
PARAMETER_COPIES = 12
# Each layer's values and their gradients, and as much again in what convolutions unfold.
ACTIVATION_COPIES = 4
ENCODED_BYTES = 110_000  # of a JPEG file of ImageNet, on average
AROUND_A_RUN_SECONDS = 60  # starting, idle power, writing down what came of it


def of_run(settings: Mapping[str, Any], config: Mapping[str, Any]) -> dict[str, Any]:
    """All that a run takes, by the names of resources; what its machine has of its own comes first.

    `config` is the complete study.
    """
    machine = machines.settings(config, settings)
    return {
        "mem_mb": memory_megabytes(settings),
        "runtime": runtime_minutes(machine),
        # Nothing is said to Slurm of CPUs: a run has all those of its node.
        "cpus_per_task": -1,
        **of_nodes(settings["device"], machine),
        **machines.resources(config, settings),
    }


def of_nodes(device: str, machine: Mapping[str, Any]) -> dict[str, Any]:
    """What Slurm must know of a run on several of its nodes: it starts once, on the first one."""
    _, nodes, _ = devices.shape(device)
    are_slurms = nodes > 1 and "nodes" not in machine
    return {"nodes": nodes, "tasks": nodes, "mpi": "srun"} if are_slurms else {}


def check_defaults(taken: Mapping[str, Mapping[str, Any]], defaults: Container[str]) -> None:
    """A resource with a default is taken by the runs of all machines, or of none.

    `taken` is what a run takes on each machine, by their names; `defaults` are the names of the
    resources of which the executor's profile has one. What the rule of all runs has comes before a
    default, so that this would be lost where a machine has nothing in its place. Raises StudyError.
    """
    named = {name: machine for machine, own in taken.items() for name in own if name in defaults}
    for machine, own in taken.items():
        for name, other in named.items():
            if name not in own:
                raise StudyError(
                    f"machines.{machine}.resources: lacks {name}, which {other} has; give each "
                    "machine its own, as none of them takes the profile's default then"
                )


def runtime_minutes(machine: Mapping[str, Any]) -> int:
    """The longest that a run can take, all its attempts together; `machine` is complete.

    Not counted is the wait for another trainmark on the same machine.
    """
    patience = machine["patience"]
    attempt = patience["wait_seconds"] + machine["timeout_seconds"]
    seconds: float = patience["attempts"] * attempt + AROUND_A_RUN_SECONDS
    return math.ceil(seconds / 60)


def memory_megabytes(settings: Mapping[str, Any]) -> int:
    """Main memory that a run may take, estimated from its network, its batch and its input."""
    shape = tuple(settings["image_shape"])
    weights, values = _sizes(settings["network"], shape, settings["classes"])
    numbers: int = PARAMETER_COPIES * weights + ACTIVATION_COPIES * settings["batch_size"] * values
    if settings["input_mode"] == "cached":
        numbers += _cached_images(settings) * math.prod(shape)
    return math.ceil((FRAMEWORK_BYTES + FLOAT32_BYTES * numbers) / 1e6)


def converted_megabytes(dataset: str) -> int:
    """Disk that a data set takes in a framework's format; 0 of one whose size isn't known yet."""
    facts = datasets.facts(dataset)
    image_bytes = ENCODED_BYTES if facts.encoded else math.prod(facts.image_shape)
    count = (facts.train_count or 0) + (facts.test_count or 0)
    return math.ceil(count * image_bytes / 1e6)


def _cached_images(settings: Mapping[str, Any]) -> int:
    """How many images a run keeps in memory: of image files no more than its steps need."""
    facts = datasets.facts(settings["dataset"])
    if not facts.encoded:
        return facts.train_count or 0
    needed: int = settings["batch_size"] * (settings["warmup_steps"] + settings["steps"])
    return min(needed, facts.train_count or needed)


@cache
def _sizes(network: str, image_shape: tuple[int, ...], classes: int) -> tuple[int, int]:
    """How many numbers are a network's weights, and how many its layers make of one image."""
    net = networks.build(network, image_shape, classes)
    weights = sum(math.prod(weight.shape) for weight in net.weights)
    return weights, sum(math.prod(layer.shape) for layer in net.layers)
