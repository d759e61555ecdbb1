"""The tables of results in the documents, made from kept archives.

usage: python -m trainmark.report.words.result_tables FILE …

Each stands between `<!-- table NAME of STUDY/ARCHIVE -->` and `<!-- end -->`, which stay: as it is
printed, and a line that names the runs and leads to the archive. `<!-- table NAME of STUDY/ARCHIVE
with COLUMN -->` has only the rows with a value in a column of the table's CSV.
"""

import os
import re
import sys
from dataclasses import replace
from pathlib import Path

from trainmark.analyse.sets import kept, result_set
from trainmark.analyse.sets.merged import origin
from trainmark.errors import one_line_errors
from trainmark.report.words import cells, writers
from trainmark.study import plugins

TABLE = re.compile(
    r"(<!-- table (\w+) of ([\w./-]+)(?: with (\w+))? -->\n).*?(<!-- end -->)", re.DOTALL
)


def with_new_tables(document: Path) -> str:
    """The text of a document with its tables of results made anew.

    Raises UnknownPlugin, and the errors of `result_set.read`.
    """

    def table(match: re.Match[str]) -> str:
        begin, name, archive, column, end = match.groups()
        return begin + _table(document, name, archive, column) + end

    return TABLE.sub(table, document.read_text(encoding="utf-8"))


def _table(document: Path, name: str, archive: str, column: str | None) -> str:
    path = kept.path(archive)
    results = result_set.read(path)
    table = writers.table_of(plugins.load("table", name), results.measurements)
    rows = table.shown if column is None else table.shown[table.numbers[column].notna()]
    shown = writers.text(replace(table, shown=rows, notes=[])).rstrip()
    days = origin(results.records)["measured"]
    where = cells.machines(results.measurements)
    link = os.path.relpath(path, document.parent)
    measured = sum(run["status"] == "ok" for run in results.records)
    return f"```\n{shown}\n```\n\n{measured} runs on {where}, {days}: [archive]({link}).\n"


if __name__ == "__main__":
    with one_line_errors():
        for file in map(Path, sys.argv[1:]):
            file.write_text(with_new_tables(file), encoding="utf-8")
