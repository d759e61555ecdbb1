"""hosts.csv: hardware and system of each node of a run."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pandas as pd

from trainmark.analyse.run import rows
from trainmark.analyse.run.hardware import gpus_in_words, nodes
from trainmark.analyse.run.recording import Run
from trainmark.runs.formats import OF_HOSTS

FACTS = ("cpu", "cores", *OF_HOSTS, "memory_bytes", "kernel", "system")
"""Facts of a record's host that are the same in each run of a host."""
COUNTS = ("node", "cores", "memory_bytes")
"""Columns of whole numbers, which pandas would read as floats where some rows have none."""
COLUMNS = (*rows.RUN, "node", *FACTS, "gpus", "absent")


def tabulate(runs: Iterable[Run]) -> pd.DataFrame:
    """A row per run and node; one with the reason for a run that wasn't measured.

    Columns: those of a run; node: 1 of the first one; FACTS; gpus: those that it used there.
    """
    table = rows.tabulate(runs, rows.or_reason(_nodes), COLUMNS)
    return table.astype(dict.fromkeys(COUNTS, "Int64"))


def read(path: Path) -> pd.DataFrame:
    """Read hosts.csv."""
    return rows.read(path).astype(dict.fromkeys(COUNTS, "Int64"))


def _nodes(run: Run) -> Iterator[dict[str, Any]]:
    for number, node in enumerate(nodes(run.record["provenance"]), start=1):
        facts = {name: node["host"][name] for name in FACTS}
        yield {"node": number, **facts, "gpus": gpus_in_words(node["gpus"])}
