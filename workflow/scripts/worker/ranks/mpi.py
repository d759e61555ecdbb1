"""MPI ranks for processes that mpiexec didn't start (OpenMPI 5).

mpiexec starts a placeholder for each rank, which only prints its environment variables: MPI knows a
process's rank by them. Another process on the same host that sets them before MPI is initialised
has that rank.

On other hosts mpiexec has a daemon start the placeholders. It would start the daemon by ssh; here
it calls agent.py instead, which leaves the daemon's command to a process of ours on that host.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Dict, List, Sequence

from worker.ranks import agent, programs
from worker.ranks.network import own_interface

MPIEXEC = Path(sys.prefix, "bin", "mpiexec")
OPTIONS = ("--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "--map-by", "slot")
SHARED_MEMORY = "/dev/shm"
RANK, FOLDER = "OMPI_COMM_WORLD_RANK", "PMIX_SERVER_TMPDIR"
# When a rank's process ends, MPI would end the others before they can report which rank ended.
LIBRARY = {"OMPI_MCA_pml": "ob1", "OMPI_MCA_opal_abort_delay": "10"}
# Ranks on one host use shared memory, even if MPI considers a network to be faster.
TRANSPORT = "OMPI_MCA_btl"
ON_A_HOST, BETWEEN_HOSTS = "self,sm", "self,sm,tcp"
SEGMENTS, INTERFACE = "OMPI_MCA_btl_sm_backing_directory", "OMPI_MCA_btl_tcp_if_include"
PLACEHOLDER = """
import json, os, signal
prefixes = ("OMPI", "OPAL", "PMIX", "PRTE")
print(json.dumps({n: v for n, v in os.environ.items() if n.startswith(prefixes)}), flush=True)
signal.pause()
"""
START_SECONDS, LOOK_SECONDS = 60.0, 0.02

Variables = Dict[str, str]
"""The environment variables of an MPI rank."""


class CannotStart(Exception):
    """mpiexec didn't start all processes; the message is mpiexec's."""


class World:
    """An MPI world with a rank on each of `hosts`, in their order; it ends with this process.

    `hosts` are IPv4 addresses; the first one is this host's. Call daemons(), then variables(); both
    raise CannotStart.
    """

    def __init__(self, hosts: Sequence[str]) -> None:
        self.hosts = hosts
        self.commands = tempfile.TemporaryDirectory()
        # A file instead of a pipe: mpiexec would end with a broken pipe.
        self.messages = tempfile.TemporaryFile("w+")  # noqa: SIM115 (it stays open with mpiexec)
        in_place_of_ssh = f"{sys.executable} -IS {agent.__file__} {self.commands.name}"
        settings = {"plm_ssh_agent": in_place_of_ssh, "plm_ssh_no_tree_spawn": "1"}
        words = [word for setting in settings.items() for word in ("--prtemca", *setting)]
        where = ("--host", ",".join(f"{host}:1" for host in hosts))
        program = (sys.executable, "-ISc", PLACEHOLDER)
        self.mpiexec = programs.start(
            [str(MPIEXEC), *OPTIONS, *words, *where, "-n", str(len(hosts)), *program],
            stdout=subprocess.PIPE,
            stderr=self.messages,
            env=dict(os.environ, TMPDIR=SHARED_MEMORY),
        )

    def daemons(self) -> Dict[str, str]:
        """The command that each other host must run by start_daemon(), by host."""
        others = set(self.hosts) - {self.hosts[0]}
        paths = {host: Path(self.commands.name, host) for host in others}
        deadline = time.monotonic() + START_SECONDS
        while not all(path.exists() for path in paths.values()):
            if self.mpiexec.poll() is not None or time.monotonic() > deadline:
                raise self._failed()
            time.sleep(LOOK_SECONDS)
        commands = {host: path.read_text() for host, path in paths.items()}
        self.commands.cleanup()
        return commands

    def variables(self) -> List[Variables]:
        """Each rank's environment variables, by rank."""
        assert self.mpiexec.stdout is not None, "it was started with a pipe"
        lines = [self.mpiexec.stdout.readline().decode() for _ in self.hosts]
        if not all(lines):
            raise self._failed()
        ranks = sorted(map(json.loads, lines), key=lambda variables: int(variables[RANK]))
        transport = BETWEEN_HOSTS if len(set(self.hosts)) > 1 else ON_A_HOST
        # mpiexec removes its folder at its end; elsewhere the files of killed processes would stay.
        transports = [{TRANSPORT: transport, SEGMENTS: variables[FOLDER]} for variables in ranks]
        return [dict(variables, **LIBRARY, **more) for variables, more in zip(ranks, transports)]

    def _failed(self) -> CannotStart:
        self.messages.seek(0)
        message = " ".join(line.strip() for line in self.messages if line.strip("-\n"))
        return CannotStart(message or f"mpiexec started fewer than {len(self.hosts)} processes")


def start_daemon(command: str) -> None:
    """Start a daemon of mpiexec on this host; it ends with mpiexec."""
    programs.start(["sh", "-c", command], env=dict(os.environ, TMPDIR=SHARED_MEMORY))


def adopt(variables: Variables) -> None:
    """Give this process a rank, by its variables; call it before MPI is initialised."""
    os.environ.update(variables, **{INTERFACE: own_interface()})
