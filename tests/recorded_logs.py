"""Recorded logs of frameworks' own loops (tests/data/logs), and what a dialect finds in them."""

from collections.abc import Iterable
from importlib import import_module

from recorded import LOGS

from trainmark.runs.logs.statements import Progress

NAMES = sorted(path.stem for path in LOGS.glob("*.log"))


def lines(log: str) -> list[str]:
    """The lines of a recorded log; a carriage return ends none."""
    with (LOGS / f"{log}.log").open(encoding="utf-8", newline="\n") as file:
        return list(file)


def read(dialect: str, log: Iterable[str]) -> list[Progress]:
    """All that a dialect finds in some lines."""
    return list(import_module(f"trainmark.runs.dialects.{dialect}").progress(log))
