"""The worker's files that a run executes, and one digest of them all.

A run depends on this digest rather than on the files: a workflow of thousands of runs would check
each file once for each run, and a file that is touched but not changed changes nothing.
"""

import hashlib
from functools import cache
from pathlib import Path

from trainmark.study import plugins

WORKER = plugins.SCRIPTS / "worker"


def files(adapter: str, network: str) -> list[Path]:
    """The runner, the adapter with its reader (where it has none of its own), the network."""
    reader = WORKER / "readers" / f"{plugins.facts('framework', adapter)['FORMAT']}.py"
    chosen = [plugins.path("framework", adapter), plugins.path("network", network)]
    return [*sorted(WORKER.glob("*.py")), *chosen, *([reader] if reader.exists() else [])]


@cache
def digest(adapter: str, network: str) -> str:
    """SHA-256 over these files' contents, as hexadecimal digits."""
    found = hashlib.sha256()
    for path in files(adapter, network):
        found.update(path.read_bytes())
    return found.hexdigest()
