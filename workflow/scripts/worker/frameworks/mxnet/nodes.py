"""MXNet on several nodes: its key-value store `dist_sync`, with a process for each node.

Beside each process runs one of MXNet's servers, which sum the nodes' gradients, and beside the
first one also MXNet's scheduler, by which they find each other.
"""

import atexit
import os
import sys
from typing import Any, Dict, List, Set

from mxnet import kvstore, nd

from worker.arrays import Weights
from worker.frameworks.mxnet import adapter
from worker.frameworks.mxnet.devices import Contexts
from worker.job import Job
from worker.ranks import programs
from worker.ranks.all_devices import AllRanks, OneRank
from worker.ranks.network import free_port, leader_address, own_address

STORES = {"cpu": "dist_sync", "cuda": "dist_device_sync"}
SERVE = [sys.executable, "-I", "-c", "import mxnet"]  # which runs the role of DMLC_ROLE
WAITING = {"OMP_WAIT_POLICY": "PASSIVE"}
"""The setting of the servers' threads, which would otherwise spin on the cores that train."""


class Shared(kvstore.KVStoreBase):
    """The store of all nodes for any number of trainers; a key is initialised once.

    Trainers update the weights themselves, equally on each node.
    """

    def __init__(self, name: str) -> None:
        self.name, self.store = name, kvstore.create(name)
        self.keys: Set[str] = set()

    @property
    def type(self) -> str:
        """MXNet's name for the store."""
        return self.name

    def is_capable(self, capability: str) -> bool:
        """Whether the servers update weights."""
        return False

    def broadcast(self, key: Any, value: nd.NDArray, out: Any, priority: int = 0) -> None:
        """Initialise a key for arrays like `value`, which is equal on all nodes."""
        if str(key) not in self.keys:
            self.keys.add(str(key))
            self.store.init(str(key), value)

    def pushpull(self, key: Any, value: Any, out: Any = None, priority: int = 0) -> None:
        """Set arrays, one for each context, to their sum over all nodes."""
        self.store.pushpull(str(key), value, out, priority)


class SharedContexts(Contexts):
    """The contexts of a node; means are over all nodes."""

    store: Shared

    def __init__(self, job: Job) -> None:
        super().__init__(job)
        self.nodes, self.store = job.node_count, Shared(STORES[job.device_kind])
        self.sums: Dict[str, nd.NDArray] = {}

    def mean(self, name: str, arrays: List[nd.NDArray]) -> nd.NDArray:
        of_node = super().mean(name, arrays)
        # Only pushes of one and the same array stay in order.
        summed = self.sums.setdefault(name, of_node.zeros_like())
        self.store.broadcast(name, summed, summed)
        of_node.copyto(summed)
        self.store.pushpull(name, summed)
        return summed / self.nodes

    def close(self) -> None:
        """Leave the store; its destructor waits for all nodes."""
        del self.store.store


class Joined(OneRank, adapter.Adapter):
    """The adapter of one of several nodes."""

    CONTEXTS = SharedContexts
    devices: SharedContexts

    def __init__(self, job: Job, port: int, node: int) -> None:
        nodes = str(job.node_count)
        os.environ.update(
            DMLC_PS_ROOT_URI=leader_address(),
            DMLC_PS_ROOT_PORT=str(port),
            DMLC_NUM_WORKER=nodes,
            DMLC_NUM_SERVER=nodes,
            DMLC_NODE_HOST=own_address(),
        )
        for role in ("server", "scheduler") if node == 0 else ("server",):
            programs.start(SERVE, env=dict(os.environ, DMLC_ROLE=role, **WAITING))
        os.environ["DMLC_ROLE"] = "worker"
        super().__init__(job, (node, job.node_count))

    def describe(self) -> Dict[str, Any]:
        described = super().describe()
        of_servers = {f"{name} of servers": value for name, value in WAITING.items()}
        return dict(described, flags={**described["flags"], **of_servers})

    def leave(self) -> None:
        """Leave the other nodes, once all of them do; the servers end."""
        self.devices.close()


class AllNodes(AllRanks):
    """The adapter of all nodes."""

    def __init__(self, job: Job) -> None:
        super().__init__(job, Joined, (free_port(),), self.report, of_each=1)
        atexit.register(self.leave)

    def weights(self) -> Weights:
        weights: Weights = self.ranks.run("weights")
        return weights
