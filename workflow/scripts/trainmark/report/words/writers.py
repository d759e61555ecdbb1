"""Tables, and writing them in every format; a format is the ending of a file's name."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from textwrap import fill
from typing import Any

import pandas as pd
from tabulate import SEPARATING_LINE, tabulate

TEXT_WIDTH = 100


@dataclass(frozen=True)
class Table:
    """A table as numbers and as a reader sees it, its rows grouped in blocks by one column."""

    title: str
    numbers: pd.DataFrame
    shown: pd.DataFrame
    block: str
    notes: list[str]

    @property
    def blocks(self) -> Iterator[tuple[str, pd.DataFrame]]:
        """Each block's name and rows, in the order of the table."""
        for name, rows in self.shown.groupby(self.block, sort=False):
            yield str(name), rows.drop(columns=self.block)


def table_of(plugin: Any, source: pd.DataFrame) -> Table:
    """The table that one of the files in tables/ makes of its source.

    The file's NONE, if it has one, is the only note on a table without rows.
    """
    numbers = plugin.make(source)
    has_none = numbers.empty and hasattr(plugin, "NONE")
    notes = [plugin.NONE] if has_none else plugin.notes(numbers)
    return Table(plugin.TITLE, numbers, plugin.show(numbers), plugin.BLOCK, notes)


def csv(table: Table) -> str:
    """The numbers, unrounded."""
    return table.numbers.to_csv(index=False)


def markdown(table: Table) -> str:
    """One heading and one table per block."""
    parts = [f"# {table.title}"]
    for name, rows in table.blocks:
        cells = rows.map(lambda cell: str(cell).replace("|", r"\|"))
        parts += [f"## {name}", _aligned(cells, tablefmt="pipe")]
    return "\n\n".join([*parts, *table.notes]) + "\n"


def text(table: Table) -> str:
    """Plain text for a terminal, aligned over all blocks, the last column wrapped to fit."""
    columns = table.shown.drop(columns=table.block)
    width = _rest(columns)
    rows = [
        row
        for _, block in table.blocks
        for row in (SEPARATING_LINE, *([*row[:-1], fill(row[-1], width)] for row in block.values))
    ]
    lines = _aligned(columns, rows, tablefmt="simple").splitlines()
    notes = [fill(note, TEXT_WIDTH) for note in table.notes]
    return "\n".join([*_titled(lines, table), "", *notes]) + "\n"


def latex(table: Table) -> str:
    """A tabular environment, for a document that loads booktabs; its notes are comments."""
    body: str = table.shown.to_latex(index=False, escape=True)
    notes = "".join(f"% {line}\n" for note in table.notes for line in note.splitlines())
    return notes + body


def html(table: Table) -> str:
    """A page of its own."""
    body = table.shown.to_html(index=False, border=0)
    notes = "".join(f"<p>{escape(note)}</p>\n" for note in table.notes)
    title = escape(table.title)
    head = f'<!DOCTYPE html>\n<meta charset="utf-8">\n<title>{title}</title>\n'
    return f"{head}<h1>{title}</h1>\n{body}\n{notes}"


FORMATS: dict[str, Callable[[Table], str]] = {
    "csv": csv,
    "md": markdown,
    "txt": text,
    "tex": latex,
    "html": html,
}


def write_table(table: Table, outputs: Iterable[str], note: str = "") -> None:
    """Write a table to each output, with a note below its own notes."""
    noted = replace(table, notes=[*table.notes, note]) if note else table
    for output in outputs:
        write(noted, Path(output))


def write(table: Table, path: Path) -> None:
    """Write the table in the format that the file's ending names."""
    path.write_text(FORMATS[path.suffix[1:]](table), encoding="utf-8")


def _aligned(columns: pd.DataFrame, rows: list[Any] | None = None, **options: Any) -> str:
    """Lay out the rows (those of the columns unless given) under the columns' names."""
    return tabulate(
        rows or columns.values.tolist(),
        headers=columns.columns.tolist(),
        colalign=_alignment(columns),
        disable_numparse=True,
        **options,
    )


def _alignment(columns: pd.DataFrame) -> list[str]:
    """Right where most cells are numbers."""
    numeric = columns.apply(lambda column: column.astype(str).str.match(r"\[?[\d-]").mean() > 0.5)
    return ["right" if is_numeric else "left" for is_numeric in numeric]


def _rest(columns: pd.DataFrame) -> int:
    """The width that the other columns leave to the last.

    tabulate makes a column two wider than its name at least, and puts a gap of two after it.
    """
    widths = [
        max([len(str(name)) + 2, *(len(str(cell)) for cell in column)]) + 2
        for name, column in columns.iloc[:, :-1].items()
    ]
    return max(20, TEXT_WIDTH - sum(widths))


def _titled(lines: list[str], table: Table) -> Iterator[str]:
    """Put each block's name in the place of the line that separates it from the one before."""
    names = iter(name for name, _ in table.blocks)
    header, rule, *body = lines
    yield from (header, rule)
    for line in body:
        yield from ("", next(names)) if line == rule else (line,)
