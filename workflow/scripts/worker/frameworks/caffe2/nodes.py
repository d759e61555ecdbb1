"""Caffe2 on several nodes: gloo's Allreduce within its nets, with a process for each node.

They find each other by files in a common folder, and each blob is summed by itself, both as in
caffe2.python.data_parallel_model.
"""

import tempfile
from pathlib import Path

from caffe2.python import core, workspace

from worker.frameworks.caffe2 import adapter
from worker.frameworks.caffe2.devices import ENGINE, World
from worker.job import Job
from worker.networks.neutral.builder import Network
from worker.networks.neutral.update_rule import UpdateRule
from worker.ranks.all_devices import AllRanks, OneRank
from worker.ranks.network import own_interface


class Joined(OneRank, adapter.Adapter):
    """The adapter of one of several nodes."""

    def __init__(self, job: Job, node: int) -> None:
        super().__init__(job, (node, job.node_count))

    def build_in(self, folder: str, network: Network, update_rule: UpdateRule) -> None:
        """Build, and find the other nodes by files in a common folder."""
        self.folder = folder
        self.build(network, update_rule)

    def joined(self) -> World:
        (node, count), net = self.part, core.Net("meeting")
        store = net.FileStoreHandlerCreate([], "store", path=self.folder)
        world = net.CreateCommonWorld(
            [store],
            "world",
            rank=node,
            size=count,
            engine=ENGINE,
            transport="tcp",
            interface=own_interface(),
            timeout_ms=int(1000 * self.job.timeout_seconds),
        )
        workspace.RunNetOnce(net)
        return World(world)


class AllNodes(AllRanks):
    """The adapter of all nodes."""

    def __init__(self, job: Job) -> None:
        super().__init__(job, Joined, (), self.report, of_each=1)

    def build(self, network: Network, update_rule: UpdateRule) -> None:
        with tempfile.TemporaryDirectory(dir=str(Path.cwd())) as folder:
            self.ranks.gather("build_in", folder, network, update_rule)
