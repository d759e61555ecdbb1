"""Hardware and system of each machine that measured."""

from collections.abc import Collection, Hashable, Mapping
from typing import Any

import pandas as pd

from trainmark.analyse.csv.hosts import FACTS
from trainmark.analyse.run.hardware import memory_in_words
from trainmark.report.words import cells

TITLE = "Hardware"
SOURCE = "hosts"
BLOCK = "machine"
MACHINE = ["study", "machine_name", "node"]
KNOWN = [*FACTS, "gpus"]
Row = Mapping[Hashable, Any]
NONE = "No run was measured."
NOTE = "Cores: what runs could use, threads counted. GPUs: what they used."


def make(hosts: pd.DataFrame) -> pd.DataFrame:
    """One row per machine, node, and hardware of it, with the number of runs.

    A run that used no GPU, or whose record is of an earlier format, knows less of the same
    hardware: it counts for the first row that has all that it knows.
    """
    measured = hosts[hosts["absent"].isna()]
    groups = measured.groupby([*MACHINE, *KNOWN], sort=False, dropna=False)
    counted = groups.size().rename("runs").reset_index()
    known = counted[KNOWN].notna().sum(axis="columns")
    best_known_first = counted.loc[known.sort_values(ascending=False, kind="stable").index]
    kept: list[dict[Hashable, Any]] = []
    for row in best_known_first.to_dict("records"):
        same = next((other for other in kept if _knows_less(row, other)), None)
        if same:
            same["runs"] += row["runs"]
        else:
            kept.append(row)
    return pd.DataFrame(kept, columns=counted.columns).astype(counted.dtypes)


def show(table: pd.DataFrame) -> pd.DataFrame:
    """For each machine one row per fact that is known."""
    several = [name for name in MACHINE if table[name].nunique() > 1]
    rows = [
        {"machine": _title(number, row, several), "hardware": name, "value": text}
        for number, row in enumerate(table.to_dict("records"), start=1)
        for name, text in _texts(row).items()
    ]
    return pd.DataFrame(rows, columns=["machine", "hardware", "value"])


def notes(table: pd.DataFrame) -> list[str]:
    """What the facts are."""
    return [NOTE]


def _knows_less(row: Row, other: Row) -> bool:
    known = [*MACHINE, *(name for name in KNOWN if pd.notna(row[name]))]
    return all(pd.notna(other[name]) and row[name] == other[name] for name in known)


def _title(number: int, row: Row, several: Collection[str]) -> str:
    """The row's number, its runs, and what else differs: the machine's name, the node."""
    others = [f"{name.replace('_name', '')} {row[name]}" for name in MACHINE if name in several]
    return ", ".join([f"{number}. {cells.counted(row['runs'], 'run')}", *others])


def _texts(row: Row) -> dict[str, str]:
    """The facts by their names, of those that are known."""
    facts = {name: str(row[name]) for name in KNOWN if pd.notna(row[name])}
    facts["kernel"] = f"Linux {row['kernel']}"
    if "memory_bytes" in facts:
        facts["memory_bytes"] = memory_in_words(row["memory_bytes"])
    names = {"memory_bytes": "memory", "gpus": "GPUs"}
    return {names.get(name, name): text for name, text in facts.items()}
