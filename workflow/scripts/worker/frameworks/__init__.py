"""One folder per framework, with the same names in each: what builds, trains and evaluates in it.

Among them are runtimes, which only predict: adapter.py alone, a worker.models.runtime.Runtime.

    adapter.py  the class Adapter, a worker.adapter.Adapter
    layers.py   every kind of layer of the neutral network, in that framework's words
    reader.py   what its own input pipeline makes of the stored images, where it has one
    devices.py  how it trains on several devices, where it does
    nodes.py    how it trains on several nodes, where that is by other means

At the top of adapter.py stand, as literals that the host reads without importing the file:

    TITLE   the framework's name in tables and figures
    FORMAT  the storage format that it reads, a file of trainmark/data/formats
    COLOUR  its colour in every figure; one with ENVIRONMENT may leave it to that adapter
    PRECISIONS  those that it computes in, by the kind of device; one with ENVIRONMENT may leave it
             to that adapter
    MISSING  why it lacks others, a short clause by precision
    STAGES  those that it has, where these aren't all: of a runtime, infer
    SEVERAL  the kinds of devices of which it trains on more than one, where there are any
    NODES    the kinds of devices of which it trains on those of several nodes, where there are any
    RANKS    True where each of several devices has a process of its own: then the class AllDevices
             in devices.py takes the place of Adapter. Else each of several nodes has one, and the
             class AllNodes in nodes.py takes that place
    ENVIRONMENT  that of another framework, where it trains that one by another road; its folder may
             then import that one's
    UNAVAILABLE  why no machine that trainmark runs on has it: then there is no class Adapter, and
             a study has one row of it, in float32, that says so
    SHARES  further frameworks whose folders it imports, which its environment has, too
"""

import importlib
from typing import Type

from worker.adapter import Adapter
from worker.job import Job


def find(job: Job) -> Type[Adapter]:
    """The class that makes the adapter of a job's framework for the job's devices."""
    folder = "worker.frameworks." + job.adapter
    adapter = importlib.import_module(folder + ".adapter")
    found: Type[Adapter] = adapter.Adapter
    if job.device_count > 1 and getattr(adapter, "RANKS", False):
        found = importlib.import_module(folder + ".devices").AllDevices
    elif job.node_count > 1 and hasattr(adapter, "NODES"):
        found = importlib.import_module(folder + ".nodes").AllNodes
    return found
