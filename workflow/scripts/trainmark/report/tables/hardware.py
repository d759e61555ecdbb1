"""Hardware and system of each machine that measured."""

from typing import Any

import pandas as pd

from trainmark.analyse.csv.hosts import FACTS
from trainmark.analyse.run.hardware import GIBIBYTE
from trainmark.report.words import cells

TITLE = "Hardware"
SOURCE = "hosts"
BLOCK = "study"
NODE = ["study", "machine_name", "node", *FACTS, "gpus"]


def make(hosts: pd.DataFrame) -> pd.DataFrame:
    """One row per machine, node, and hardware of it that runs used, with the number of runs."""
    measured = hosts[hosts["absent"].isna()]
    return measured.groupby(NODE, sort=False, dropna=False).size().rename("runs").reset_index()


def show(table: pd.DataFrame) -> pd.DataFrame:
    """One row per fact, one column per row of the table."""
    columns = {f"{number}": _texts(row) for number, row in enumerate(table.itertuples(), start=1)}
    shown = pd.DataFrame(columns).dropna(how="all").fillna(cells.NOTHING)
    shown = shown.rename_axis("hardware").reset_index()
    shown.insert(0, "study", table["study"].iloc[0] if len(table) else None)
    return shown


def notes(table: pd.DataFrame) -> list[str]:
    """What the columns are."""
    if table.empty:
        return ["No run was measured."]
    return ["Cores and GPUs are those that the runs could use."]


def _texts(row: Any) -> dict[str, str]:
    """The facts by their names, of those that are known."""
    facts = {name: getattr(row, name) for name in ("machine_name", "node", *FACTS, "gpus", "runs")}
    memory = facts.pop("memory_bytes")
    texts = {name.replace("_", " "): str(value) for name, value in facts.items() if pd.notna(value)}
    return texts | ({"memory": f"{memory / GIBIBYTE:.1f} GiB"} if pd.notna(memory) else {})
