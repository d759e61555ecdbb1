"""Where the other nodes of a run are, and the command that starts a program there."""

import os
import re
import shlex
import subprocess
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from trainmark.runs.status.not_measured import NotMeasured
from worker import devices

SSH = ("ssh", "-T", "-o", "BatchMode=yes", "-o", "ConnectTimeout=30")
SRUN = ("srun", "--overlap", "--nodes=1", "--ntasks=1", "--cpu-bind=none")
ALLOCATED = re.compile(r"^\s*NodeList=(\S+)", re.MULTILINE)
ADDRESS = re.compile(r"\bNodeAddr=(\S+)")


class NoNodes(NotMeasured):
    """There are fewer nodes than a device asks for, or one has fewer GPUs."""

    status = "unavailable"


class Place(NamedTuple):
    """Another node: its name, its address to the network, and what starts a program there."""

    host: str
    address: str
    start: tuple[str, ...]

    def command(self, program: Sequence[str]) -> list[str]:
        """What starts a program there. ssh gives the words to a shell, srun as they are."""
        words = [shlex.join(program)] if self.start[0] == SSH[0] else program
        return [*self.start, *words]


def here(device: str, machine: Mapping[str, Any]) -> int:
    """How many nodes of a device are processes of this machine; `machine` as below.

    All of processors are, to try them, where neither the study nor Slurm names others.
    """
    kind, count, _ = devices.shape(device)
    are_elsewhere = kind != "cpu" or "nodes" in machine or "SLURM_JOB_ID" in os.environ
    return 1 if are_elsewhere else count


def others(device: str, machine: Mapping[str, Any]) -> list[Place]:
    """The nodes of a device beside this machine; `machine` is what the study says of it.

    Raises NoNodes.
    """
    _, count, _ = devices.shape(device)
    if here(device, machine) == count:
        return []
    if "nodes" in machine:
        named = machine["nodes"]
        found = [Place(host, host.rpartition("@")[2], (*SSH, host)) for host in named]
        return _enough(device, found, "`nodes` names")
    if slurm_job := os.environ.get("SLURM_JOB_ID"):
        start = (*SRUN, f"--jobid={slurm_job}")
        found = [
            Place(host, _address(host), (*start, f"--nodelist={host}"))
            for host in _allocated(slurm_job)
        ]
        return _enough(device, found, "Slurm's job has")
    raise NoNodes(
        f"{device} asks for {count} nodes: name the others (`nodes` of the machine), or measure in "
        "a job of Slurm that has as many"
    )


def _enough(device: str, found: list[Place], whose: str) -> list[Place]:
    _, count, _ = devices.shape(device)
    if len(found) < count - 1:
        raise NoNodes(
            f"{device} asks for {count} nodes; {whose} {len(found)} beside the one that a run "
            "begins on"
        )
    return found[: count - 1]


def _allocated(job: str) -> list[str]:
    """The nodes of a job of Slurm but this one, by their names there."""
    nodes = ALLOCATED.search(_told("scontrol", "show", "job", job))
    names = _told("scontrol", "show", "hostnames", nodes[1]).split() if nodes else []
    own = os.environ.get("SLURMD_NODENAME", *names[:1])  # a job begins on its first node
    return [name for name in names if name != own]


def _address(node: str) -> str:
    """Of a node of Slurm, which may have another name there."""
    found = ADDRESS.search(_told("scontrol", "show", "node", node))
    return found[1] if found else node


def _told(*command: str) -> str:
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        said = getattr(error, "stderr", None) or str(error)
        raise NoNodes(f"{shlex.join(command)}: {said.strip()}") from None
