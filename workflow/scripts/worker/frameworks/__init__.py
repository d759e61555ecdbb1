"""One folder per framework, with the same file names in each.

A runtime, which only predicts, has adapter.py alone, a worker.models.runtime.Runtime.

    adapter.py  the class Adapter, a worker.adapter.Adapter
    layers.py   every kind of layer of the neutral network in the framework's operations
    optimiser.py  the weight update
    precision.py  how it computes in narrow types, if it does
    reader.py   the framework's own input pipeline, if it has one
    generation.py  how a language model generates, if it does
    devices.py  training on several devices, if it does
    nodes.py    training on several nodes, where that differs
    releases.py  what its releases lack, or have under other names

adapter.py begins with literals that the host reads without importing the file:

    TITLE   the framework's name in tables and figures
    FORMAT  the storage format that it reads, a file of trainmark/data/formats
    COLOUR  its colour in every figure; with ENVIRONMENT, by default that of that framework's
             adapter
    PRECISIONS  the supported precisions by kind of device; with ENVIRONMENT, by default those of
             that framework's adapter
    MISSING  the reason why other precisions are missing, a short clause by precision
    OPTIONS  its options and their defaults, if it has any
    DIALECT  of a framework's own loop or program: the dialect of its log
    STAGES  the supported stages, by default all: a method that an adapter lacks is unsupported; of
             a runtime, infer
    SEVERAL  the kinds of devices of which it trains on more than one, if any
    NODES    the kinds of devices with which it trains on several nodes, if any
    RANKS    True where each of several devices has its own process: the class AllDevices in
             devices.py then replaces Adapter. Otherwise each of several nodes has one, and the
             class AllNodes in nodes.py replaces it
    ENVIRONMENT  the environment of another framework, which this one trains in another way; its
             folder may import that framework's
    UNAVAILABLE  the reason why it can't run on any machine of trainmark's: then there is no class
             Adapter, and a study has one row for it, in float32, with the reason
    SHARES  further frameworks whose folders it imports, which its environment contains
"""

import importlib
from typing import Type

from worker.adapter import Adapter
from worker.job import Job


def find(job: Job) -> Type[Adapter]:
    """The adapter class of a job's framework for the job's devices."""
    folder = "worker.frameworks." + job.adapter
    adapter = importlib.import_module(folder + ".adapter")
    adapter_class: Type[Adapter] = adapter.Adapter
    if job.device_count > 1 and getattr(adapter, "RANKS", False):
        adapter_class = importlib.import_module(folder + ".devices").AllDevices
    elif job.node_count > 1 and hasattr(adapter, "NODES"):
        adapter_class = importlib.import_module(folder + ".nodes").AllNodes
    return adapter_class
