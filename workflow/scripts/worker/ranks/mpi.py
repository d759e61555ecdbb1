"""Places in MPI's world for processes that mpiexec didn't start (OpenMPI 5).

mpiexec starts as many that only tell their environment, by which MPI knows the place of a process:
another one that takes it over before MPI is initialised is in that place.
"""

import ctypes
import json
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Dict, List

MPIEXEC = Path(sys.prefix, "bin", "mpiexec")
OPTIONS = ("--allow-run-as-root", "--oversubscribe", "--bind-to", "none")
SHARED_MEMORY = "/dev/shm"
RANK, FOLDER = "OMPI_COMM_WORLD_RANK", "PMIX_SERVER_TMPDIR"
# Through shared memory, also where there is a network that MPI takes for faster.
TRANSPORT = {"OMPI_MCA_pml": "ob1", "OMPI_MCA_btl": "self,sm"}
SEGMENTS = "OMPI_MCA_btl_sm_backing_directory"
PLACEHOLDER = """
import json, os, signal
prefixes = ("OMPI", "OPAL", "PMIX", "PRTE")
print(json.dumps({n: v for n, v in os.environ.items() if n.startswith(prefixes)}), flush=True)
signal.pause()
"""
PR_SET_PDEATHSIG = 1

_libc = ctypes.CDLL(None)


class CannotStart(Exception):
    """What mpiexec says where it starts nothing."""


def places(count: int) -> List[Dict[str, str]]:
    """Start a world of `count` places, which ends with this process.

    Returns the environment variables of each rank's. Raises CannotStart.
    """
    command = [MPIEXEC, *OPTIONS, "-n", count, sys.executable, "-ISc", PLACEHOLDER]
    with tempfile.TemporaryFile("w+") as messages:  # mpiexec would die of a pipe that breaks
        mpiexec = subprocess.Popen(
            list(map(str, command)),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=messages,
            env=dict(os.environ, TMPDIR=SHARED_MEMORY),
            preexec_fn=_end_with_parent,
        )
        assert mpiexec.stdout is not None  # a pipe, as asked for
        lines = [mpiexec.stdout.readline().decode() for _ in range(count)]
        messages.seek(0)
        said = " ".join(line.strip() for line in messages if line.strip("-\n"))
    if not all(lines):
        raise CannotStart(said or f"mpiexec started fewer than {count} processes")
    found = sorted(map(json.loads, lines), key=lambda place: int(place[RANK]))
    # In mpiexec's own folder, which it removes; elsewhere memory outlives killed processes.
    return [dict(place, **TRANSPORT, **{SEGMENTS: place[FOLDER]}) for place in found]


def _end_with_parent() -> None:
    """Have mpiexec end, and all that it started, when its parent does, however that does."""
    _libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
