"""Resources that a run may use: upper bounds, for schedulers that need them beforehand."""

import math
from collections.abc import Container, Mapping
from functools import cache
from typing import Any

from trainmark.study import datasets, machines
from trainmark.study.arithmetic import built_network
from trainmark.study.config.errors import StudyError
from worker import devices

FLOAT32_BYTES = 4
# A framework's libraries and its own pools: 0.1 to 0.5 GB once imported, more once it computes.
FRAMEWORK_BYTES = 2_000_000_000
# Weights, gradients, momentum, the initial weights, the reference's, and copies between layouts.
# Caffe takes most: VGG-16 in its published form, on a batch of 4, 8.5 GB.
PARAMETER_COPIES = 12
# Each layer's values and their gradients, and as much again in what convolutions unfold.
ACTIVATION_COPIES = 4
ENCODED_BYTES = 110_000  # of a JPEG file of ImageNet, on average
JOB_OVERHEAD_SECONDS = 60  # starting, idle power, writing down what came of it


def of_run(settings: Mapping[str, Any], config: Mapping[str, Any]) -> dict[str, Any]:
    """All resources of a run, by their names; those of its machine replace the others.

    `config` is the complete study.
    """
    machine = machines.settings(config, settings)
    return {
        "mem_mb": memory_megabytes(settings),
        "runtime": runtime_minutes(machine),
        # Slurm gets no number of CPUs: a run has all those of its node.
        "cpus_per_task": -1,
        **of_nodes(settings["device"], machine),
        **machines.resources(config, settings),
    }


def of_nodes(device: str, machine: Mapping[str, Any]) -> dict[str, Any]:
    """Resources of a run on several nodes of Slurm, which starts once, on the first one."""
    _, nodes, _ = devices.shape(device)
    are_slurms = nodes > 1 and "nodes" not in machine
    return {"nodes": nodes, "tasks": nodes, "mpi": "srun"} if are_slurms else {}


def check_defaults(of_machines: Mapping[str, Mapping[str, Any]], defaults: Container[str]) -> None:
    """Check that a resource with a default is set for the runs of all machines, or of none.

    `of_machines` are the resources of a run on each machine, by their names; `defaults` are the
    names of the resources of which the executor's profile has a default. A resource of the rule of
    all runs replaces a default, so a machine without that resource would lose it. Raises
    StudyError.
    """
    named = {
        name: machine
        for machine, resources in of_machines.items()
        for name in resources
        if name in defaults
    }
    for machine, resources in of_machines.items():
        for name, other in named.items():
            if name not in resources:
                raise StudyError(
                    f"machines.{machine}.resources: lacks {name}, which {other} has; give each "
                    "machine its own, as none of them takes the profile's default then"
                )


def runtime_minutes(machine: Mapping[str, Any]) -> int:
    """Longest duration of a run on one node, of all its attempts together; `machine` is complete.

    The wait for another trainmark isn't counted, nor that of other nodes for quiet.
    """
    patience = machine["patience"]
    attempt = patience["wait_seconds"] + machine["timeout_seconds"]
    seconds: float = patience["attempts"] * attempt + JOB_OVERHEAD_SECONDS
    return math.ceil(seconds / 60)


def memory_megabytes(settings: Mapping[str, Any]) -> int:
    """Main memory of a run, estimated from its network, its batch and its input."""
    shape = tuple(settings["image_shape"])
    weights, values = _sizes(settings["network"], shape, settings["classes"])
    numbers: int = PARAMETER_COPIES * weights + ACTIVATION_COPIES * settings["batch_size"] * values
    if settings["input_mode"] == "cached":
        numbers += _cached_images(settings) * math.prod(shape)
    return math.ceil((FRAMEWORK_BYTES + FLOAT32_BYTES * numbers) / 1e6)


def converted_megabytes(dataset: str) -> int:
    """Disk space of a data set in a framework's format; 0 where its size is unknown yet."""
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
    net = built_network(network, image_shape, classes)
    weights = sum(math.prod(weight.shape) for weight in net.weights)
    return weights, sum(math.prod(layer.shape) for layer in net.layers)
