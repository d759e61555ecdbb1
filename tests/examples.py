"""Jobs that several tests start from: LeNet on digits, and the networks on small images."""

import os
from typing import Any

from trainmark.study import axes, case_settings, plugins
from worker import networks
from worker.networks.neutral.tokens import BYTES

DEVICE = os.environ.get("TRAINMARK_TEST_DEVICE", "cpu")
"""On which adapters are tested, in the builds of their frameworks for it: cpu, or cuda:1."""

Job = dict[str, Any]

LENET: Job = {
    **case_settings.UNUSED,
    "study": "test",
    "case": "test",
    "framework": "numpy",
    "adapter": "numpy",
    "environment": "numpy",
    "device": "cpu",
    "precision": "float32",
    "stage": "train",
    "input_mode": "dataset",
    "thread_count": "all",
    "repeat": 1,
    "protocol": 1,
    "network": "lenet",
    "dataset": "digits",
    "image_shape": [1, 28, 28],
    "classes": 10,
    "batch_size": 64,
    "steps": 8,
    "max_seconds": None,
    "warmup_steps": 1,
    "warmup_seconds": 0,
    "warmup_limit_seconds": 0,
    "learning_rate": 0.01,
    "momentum": 0.9,
    "weight_decay": 0.0005,
    "seed": 1,
    "evaluate": True,
    "options": {},
    "threads": 1,  # four processes of tests share two cores
    "timeout_seconds": 300,
    "data": None,
    "reference": None,
    "trained": None,
    "attacked": None,
    "attacker": None,
}
LENET_RUN: Job = {**axes.HOST_DEFAULTS, **LENET}
"""The job LENET with the settings that a worker doesn't see."""
SHARED: Job = {**LENET, "steps": 20, "learning_rate": 0.001, "batch_size": 74}
"""A training for several devices, at a rate so small that what they round apart doesn't grow.

Of the 297 test images the last batch has one, of which a device has no part.
"""
SHARED_CACHED: Job = {**SHARED, "input_mode": "cached", "steps": 2, "evaluate": False}


LARGE = {"densenet161", "efficientnet_b0", "googlenet", "resnet50", "resnet152"}
LARGE |= {"vgg16", "vit_b_16", "gpt2"}
TRIED = [name for name in plugins.names("network") if name not in LARGE]
"""The networks that tests build in each framework, or in most. The others take minutes in some. The
study of parity has them; of their kinds of layers, those tried and little_networks have all."""


def of_adapter(job: Job, adapter: str) -> Job:
    """The job for an adapter, under its own name and in its own environment.

    One that is for the processor is for the device that is tested, but in the numpy adapter, which
    is what the others are held against.
    """
    device = DEVICE if job["device"] == "cpu" and adapter != "numpy" else job["device"]
    names = dict.fromkeys(("framework", "adapter", "environment"), adapter)
    return {**job, **names, "device": device}


def small_images(network: str, **settings: Any) -> Job:
    """One synthetic step of a network on 32x32 images, of one that reads text on 24 bytes."""
    shape = [1, 1, 24] if networks.reads_text(network) else [3, 32, 32]
    classes = BYTES if networks.is_language_model(network) else 10
    return {
        **LENET,
        "network": network,
        "dataset": f"synthetic-{'x'.join(map(str, shape))}-{classes}",
        "image_shape": shape,
        "classes": classes,
        "batch_size": 8,
        "input_mode": "synthetic",
        "steps": 1,
        "evaluate": False,
        **settings,
    }
