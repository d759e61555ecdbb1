"""Hosts of a run's other nodes: their names, and the command that starts a program there."""

import os
import re
import shlex
import subprocess
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from trainmark.runs.unmeasured import NotMeasured
from worker import devices

SSH = ("ssh", "-T", "-o", "BatchMode=yes", "-o", "ConnectTimeout=30")
SRUN = ("srun", "--overlap", "--nodes=1", "--ntasks=1", "--cpu-bind=none")
ALLOCATED = re.compile(r"^\s*NodeList=(\S+)", re.MULTILINE)
ADDRESS = re.compile(r"\bNodeAddr=(\S+)")


class NoNodes(NotMeasured):
    """There are fewer nodes than a device asks for, or one has fewer GPUs."""

    status = "unavailable"


class Host(NamedTuple):
    """The host of another node.

    Attributes:
        name: as ssh or Slurm knows it.
        address: as the network knows it.
        start: the beginning of the command that starts a program there.

    """

    name: str
    address: str
    start: tuple[str, ...]

    def command(self, program: Sequence[str]) -> list[str]:
        """The command that starts a program there: ssh gives its words to a shell, srun doesn't."""
        words = [shlex.join(program)] if self.start[0] == SSH[0] else program
        return [*self.start, *words]


def nodes_here(device: str, machine: Mapping[str, Any]) -> int:
    """The number of a device's nodes that are processes of this machine; `machine` as below.

    All nodes of processors are, for trials, where neither the study nor Slurm names others.
    """
    kind, count, _ = devices.shape(device)
    are_elsewhere = kind != "cpu" or "nodes" in machine or "SLURM_JOB_ID" in os.environ
    return 1 if are_elsewhere else count


def other_hosts(device: str, machine: Mapping[str, Any]) -> list[Host]:
    """The hosts of a device's nodes but this machine's; `machine` has the study's settings for it.

    Raises NoNodes.
    """
    _, count, _ = devices.shape(device)
    if nodes_here(device, machine) == count:
        return []
    if "nodes" in machine:
        hosts = [Host(name, name.rpartition("@")[2], (*SSH, name)) for name in machine["nodes"]]
        return _enough(device, hosts, "`nodes` names")
    if slurm_job := os.environ.get("SLURM_JOB_ID"):
        start = (*SRUN, f"--jobid={slurm_job}")
        hosts = [
            Host(name, _address(name), (*start, f"--nodelist={name}"))
            for name in _allocated(slurm_job)
        ]
        return _enough(device, hosts, "Slurm's job has")
    raise NoNodes(
        f"{device} asks for {count} nodes: name the others (`nodes` of the machine), or measure in "
        "a job of Slurm that has as many"
    )


def _enough(device: str, hosts: list[Host], whose: str) -> list[Host]:
    """As many hosts as a device needs beside this one; raises NoNodes where there are fewer."""
    _, count, _ = devices.shape(device)
    if len(hosts) < count - 1:
        raise NoNodes(
            f"{device} asks for {count} nodes; {whose} {len(hosts)} beside the one that a run "
            "begins on"
        )
    return hosts[: count - 1]


def _allocated(job: str) -> list[str]:
    """Slurm's names of a job's nodes, without this one."""
    nodes = ALLOCATED.search(_output("scontrol", "show", "job", job))
    names = _output("scontrol", "show", "hostnames", nodes[1]).split() if nodes else []
    here = os.environ.get("SLURMD_NODENAME", *names[:1])  # a job begins on its first node
    return [name for name in names if name != here]


def _address(node: str) -> str:
    """The address of a node of Slurm, which may differ from its name."""
    address = ADDRESS.search(_output("scontrol", "show", "node", node))
    return address[1] if address else node


def _output(*command: str) -> str:
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        reason = getattr(error, "stderr", None) or str(error)
        raise NoNodes(f"{shlex.join(command)}: {reason.strip()}") from None
