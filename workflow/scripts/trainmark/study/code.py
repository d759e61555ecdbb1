"""The code that a run or a conversion executes, as one digest.

They depend on this digest rather than on the files: a workflow of thousands of runs would check
each file once for each run, and a file that is touched but not changed changes nothing.
"""

import hashlib
from functools import cache
from pathlib import Path

from trainmark.study import datasets, plugins

WORKER = plugins.SCRIPTS / "worker"
DATA = plugins.SCRIPTS / "trainmark" / "data"


@cache
def of_run(adapter: str, network: str) -> str:
    """The worker's core, the adapter, the reader of its format (if there is one), the network."""
    reader = WORKER / "readers" / f"{plugins.facts('framework', adapter)['FORMAT']}.py"
    chosen = [plugins.path("framework", adapter), plugins.path("network", network)]
    core = [*WORKER.glob("*.py"), *WORKER.glob("*/__init__.py")]
    return _digest([*core, *chosen, *([reader] if reader.exists() else [])])


@cache
def of_conversion(dataset: str, format_name: str) -> str:
    """What reads a data set and what writes a format."""
    reader = plugins.path("data set", datasets.facts(dataset).plugin)
    return _digest([*DATA.glob("*.py"), reader, plugins.path("format", format_name)])


def _digest(files: list[Path]) -> str:
    """SHA-256 over the files' contents, as hexadecimal digits."""
    found = hashlib.sha256()
    for path in sorted(files):
        found.update(path.read_bytes())
    return found.hexdigest()
