"""Places in MPI's world for processes that mpiexec didn't start (OpenMPI 5).

mpiexec starts as many that only tell their environment, by which MPI knows the place of a process:
another one on the same host that takes it over before MPI is initialised is in that place.

On other hosts mpiexec has a daemon start them. It would call ssh to start that; instead it calls
agent.py, which leaves the daemon's command to whoever has a process there.
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
# Where a place's process ends, MPI would end the others before they could say which one it was.
LIBRARY = {"OMPI_MCA_pml": "ob1", "OMPI_MCA_opal_abort_delay": "10"}
# On a host through shared memory, also where there is a network that MPI takes for faster.
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

Place = Dict[str, str]
"""The environment variables of a place."""


class CannotStart(Exception):
    """What mpiexec says where it starts nothing."""


class World:
    """A world of a place for each of `hosts`, in their order; it ends with this process.

    `hosts` are IPv4 addresses, and the first one's are this host's. Call daemons(), then places();
    both raise CannotStart.
    """

    def __init__(self, hosts: Sequence[str]) -> None:
        self.hosts = hosts
        self.commands = tempfile.TemporaryDirectory()
        # Not a pipe, of which mpiexec would die where it breaks.
        self.messages = tempfile.TemporaryFile("w+")  # noqa: SIM115 (of mpiexec, as long as it)
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
        """The command, by its host, that has to be started on each other one: see start_daemon."""
        others = set(self.hosts) - {self.hosts[0]}
        paths = {host: Path(self.commands.name, host) for host in others}
        deadline = time.monotonic() + START_SECONDS
        while not all(path.exists() for path in paths.values()):
            if self.mpiexec.poll() is not None or time.monotonic() > deadline:
                raise self._failed()
            time.sleep(LOOK_SECONDS)
        found = {host: path.read_text() for host, path in paths.items()}
        self.commands.cleanup()
        return found

    def places(self) -> List[Place]:
        """The places, by rank."""
        assert self.mpiexec.stdout is not None  # a pipe, as asked for
        lines = [self.mpiexec.stdout.readline().decode() for _ in self.hosts]
        if not all(lines):
            raise self._failed()
        found = sorted(map(json.loads, lines), key=lambda place: int(place[RANK]))
        transport = BETWEEN_HOSTS if len(set(self.hosts)) > 1 else ON_A_HOST
        # In mpiexec's own folder, which it removes; elsewhere memory outlives killed processes.
        own = [{TRANSPORT: transport, SEGMENTS: place[FOLDER]} for place in found]
        return [dict(place, **LIBRARY, **more) for place, more in zip(found, own)]

    def _failed(self) -> CannotStart:
        self.messages.seek(0)
        said = " ".join(line.strip() for line in self.messages if line.strip("-\n"))
        return CannotStart(said or f"mpiexec started fewer than {len(self.hosts)} processes")


def start_daemon(command: str) -> None:
    """Start a daemon of mpiexec on this host; it ends with mpiexec."""
    programs.start(["sh", "-c", command], env=dict(os.environ, TMPDIR=SHARED_MEMORY))


def take(place: Place) -> None:
    """Have this process be in a place, once MPI is initialised."""
    os.environ.update(place, **{INTERFACE: own_interface()})
