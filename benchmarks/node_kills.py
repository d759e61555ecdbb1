"""What random kills cost a study whose runs train on two nodes of a batch system.

usage: python benchmarks/node_kills.py [--kills 10] [--seed 1]

As cluster_kills.py, but each run is PyTorch's on both nodes at once, which go by host names of
their own. The second node's worker is killed, too, and the program that watches it, or the srun
that started this one. It needs what cluster_kills.py needs, the environment of PyTorch, and root
for the names.
"""

import tempfile
from pathlib import Path

from cluster_kills import CASES, REPEATS, WORKER, Campaign, carry_out
from killed_study import Record, arguments
from little_slurm import running
from places import ROOT
from workflow import study

PYTORCH = ROOT / "results/environments/pytorch/bin/python"
FOLLOWER, WATCHER = "ranks/follow.py", "runs.nodes.watcher"
ON_BOTH = ("--default-resources", "slurm_partition=both", "disk_mb=0")


class NodesCampaign(Campaign):
    """A study whose runs take both nodes."""

    workers = (WORKER, FOLLOWER)
    victims = (WATCHER,)
    misplaced = "runs on one node"

    def is_misplaced(self, record: Record) -> bool:
        """Whether a run was measured on one node."""
        if record["status"] != "ok":
            return False
        nodes = [record["provenance"], *record["provenance"].get("nodes", [])]
        names = {node["host"]["hostname"] for node in nodes}
        return len(names) != 2

    def cause(self, run: Path, record: Record) -> str:
        """By what a run failed; a watcher that was killed doesn't say which run was its own."""
        is_lost = " is lost: " in record["reason"]
        return "by the loss of their second node" if is_lost else super().cause(run, record)


def main() -> None:
    """Start a Slurm of two hosts, and kill what it runs."""
    options = arguments(__doc__, kills=10)
    content = study(1, CASES, REPEATS)
    machine = {**content["machine"], "interpreters": {"pytorch": str(PYTORCH)}}
    content.update(frameworks=["pytorch"], devices=["cpu:2x1"], machine=machine)
    temporary = tempfile.TemporaryDirectory
    with (
        temporary() as folder,
        temporary() as daemons,
        running(Path(daemons), are_hosts=True) as slurm,
    ):
        campaign = NodesCampaign(Path(folder), options.seed, slurm, content, ON_BOTH)
        carry_out(campaign, options.kills)


if __name__ == "__main__":
    main()
