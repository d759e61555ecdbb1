"""The page of all kept archives: each case's frameworks by machine, the newest first.

usage: python -m trainmark.report.page.archives FOLDER

The folder gets index.html and, for each archive in resources/results/, the page of its study, to
which each number leads.
"""

import hashlib
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from trainmark.analyse.compare.pairs import beside_the_fastest
from trainmark.analyse.csv import steps
from trainmark.analyse.sets import kept, merged, result_set, shared_study
from trainmark.analyse.sets.agreement import agreement
from trainmark.analyse.sets.result_set import ResultSet, UnfitResults
from trainmark.errors import one_line_errors
from trainmark.files import write_text
from trainmark.report.draw import style
from trainmark.report.page import document, intervals, study, values
from trainmark.report.page.leaders import Leaders, comparisons
from trainmark.report.page.runs import Run, measured
from trainmark.report.words import cells
from trainmark.study import builds, case_settings
from trainmark.study.axes import ALL_BUT_FRAMEWORK, key

TITLE = "Speeds by framework and machine"
WORK = tuple(name for name in ALL_BUT_FRAMEWORK if name not in ("study", "machine_name"))
"""The columns that are alike where archives of several studies and machines are shown together."""
SHOWN = ("precision", "device", "stage", "input_mode")
SETTINGS = ("image_shape", *(name for name in case_settings.IN_JOB if name != "seed"))
"""The settings by which cases of one name may differ."""
UNDESCRIBED = "processor not described"
VECTORS = re.compile(r"\b(amx|avx512|[a-z]+\d?)")
"""The name of a family of vector instructions, of which a processor may have fifteen members."""
TABLES = ("summary", "pairs", "parity")
COMMAND = f".venv/bin/snakemake --configfile {shared_study.FILE}"


class Archive(NamedTuple):
    """A kept archive: its path below resources/results/, its page's file, its content."""

    name: str
    page: str
    content: bytes
    results: ResultSet


class Cell(NamedTuple):
    """A configuration of an archive: its row of `beside_the_fastest`, and who is fastest there.

    Attributes:
        number: in `values.listed`.
        record: that of one of its runs, one that is ok where there is one.
        machine: the hardware, and what tells processors of one name apart.
        settings: those of the first framework that it is compared with, in the order of SETTINGS.

    """

    archive: Archive
    number: int
    row: pd.Series
    leading: Leaders
    record: Mapping[str, Any]
    machine: tuple[str, str]
    settings: tuple[str, ...]


def read(paths: Iterable[Path]) -> list[Archive]:
    """The archives, the newest first; raises the errors of `result_set.read`.

    Raises UnfitResults of a kept archive that is called otherwise than `kept.misplaced` has it.
    """
    archives = [
        Archive(
            name=f"{path.parent.name}/{path.name}",
            page=f"{path.parent.name}-{path.stem}.html",
            content=path.read_bytes(),
            results=_placed(path),
        )
        for path in paths
    ]
    return sorted(archives, key=lambda archive: archive.results.began, reverse=True)


def _placed(path: Path) -> ResultSet:
    """The results of an archive; the names of pages, which are links, follow from its place."""
    results = result_set.read(path)
    if fault := kept.misplaced(path, results):
        raise UnfitResults(f"{path}: {fault}")
    return results


def html(archives: Sequence[Archive]) -> str:
    """The page: each case with its frameworks by machine, and the archives."""
    groups: dict[tuple[Any, ...], dict[tuple[str, ...], list[Cell]]] = {}
    for cell in (cell for archive in archives for cell in _cells(archive)):
        alike = groups.setdefault(tuple(cell.row[name] for name in WORK), {})
        alike.setdefault(cell.settings, []).append(cell)
    cases = [
        _case(group, _differing(settings, alike))
        for alike in groups.values()
        for settings, group in alike.items()
    ]
    records = [record for archive in archives for record in archive.results.records]
    return document.html(
        TITLE,
        template="archives.html",
        cases=cases,
        archives=[_row(archive) for archive in archives],
        agreement=[
            _agreement(row) for row in agreement([each.results for each in archives]).itertuples()
        ],
        counts={
            "archives": len(archives),
            "runs": len(records),
            "machines": len(_machines(machine for case in cases for machine in case["machines"])),
            "frameworks": len({builds.framework(each["job"]["environment"]) for each in records}),
            "cases": len(cases),
        },
    )


def page(archive: Archive) -> str:
    """The page of an archive's study; an archive has no logs and no curves."""
    sources = {
        "measurements": archive.results.measurements,
        "steps": pd.DataFrame(columns=list(steps.COLUMNS)),
    }
    runs = list(map(Run, archive.results.records))
    return study.html(sources, TABLES, [], runs, COMMAND if archive.results.has_study else "")


def _cells(archive: Archive) -> Iterator[Cell]:
    measurements = archive.results.measurements
    numbers = values.numbers(values.listed(measurements))
    ok_last = sorted(archive.results.records, key=lambda record: record["status"] == "ok")
    records = {key(record["job"]): record for record in ok_last}
    for leading, group in comparisons(beside_the_fastest(measurements)):
        rows = [(row, records[key(row.to_dict())]) for _, row in group.iterrows()]
        # The fastest may be another one on another machine, with settings of its own.
        _, first = min(rows, key=lambda pair: pair[0]["framework"])
        machine = "; ".join(cells.hardware(group["machine"])), processor_of(first)
        for row, record in rows:
            number = numbers[values.key(row)]
            yield Cell(archive, number, row, leading, record, machine, _settings(first))


def processor_of(record: Mapping[str, Any]) -> str:
    """What tells processors of one name apart, in a line."""
    host = record["provenance"]["host"]
    vectors = " ".join(dict.fromkeys(VECTORS.findall(host["vectors"] or "")))
    return "; ".join(filter(None, [host["model"], vectors, host["caches"]])) or UNDESCRIBED


def _settings(record: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(str(record["job"].get(name)) for name in SETTINGS)


def _differing(settings: Sequence[str], others: Iterable[Sequence[str]]) -> list[str]:
    """The settings, in words, that cases of the same name have in other values as well."""
    columns = zip(SETTINGS, settings, zip(*others, strict=True), strict=True)
    return [
        f"{name.replace('_', ' ')} {value}"
        for name, value, all_values in columns
        if len({*all_values}) > 1
    ]


def _machines(machines: Iterable[tuple[str, str]]) -> set[tuple[str, str]]:
    """Different machines; one that isn't described may be any described one of its name."""
    seen = set(machines)
    described = {name for name, processor in seen if processor != UNDESCRIBED}
    return {each for each in seen if each[1] != UNDESCRIBED or each[0] not in described}


def _case(group: Sequence[Cell], differing: Sequence[str]) -> dict[str, Any]:
    """A case: its machines as columns, its frameworks as rows, on one axis from zero."""
    first = group[0].row
    table = pd.DataFrame([cell.row for cell in group])
    end, _ = intervals.axis([cell.row for cell in group if cell.row["n"]])
    machines = list(dict.fromkeys(cell.machine for cell in group))
    colours = style.colours(table)
    best = table.groupby("framework")["mean"].max().sort_values(ascending=False)
    return {
        "name": first["case"],
        "setting": ", ".join(
            [
                f"{first['network']} on {first['dataset']}",
                f"batch {first['batch_size']}",
                *(str(first[name]) for name in SHOWN),
                cells.threads(first["thread_count"]),
                *differing,
            ]
        ),
        "heading": cells.heading(str(first["metric"]), [first["network"]]),
        "machines": machines,
        "rows": [
            _framework([cell for cell in group if cell.row["framework"] == name], machines, end)
            | {"colour": colours[name]}
            for name in best.index
        ],
    }


def _framework(
    group: Sequence[Cell], machines: Sequence[tuple[str, str]], end: float
) -> dict[str, Any]:
    """A framework's values on each machine, the newest first."""
    first = group[0].row
    return {
        "framework": cells.framework_title(first["framework"], first["adapter"]),
        "machines": [
            [_shown(cell, end) for cell in group if cell.machine == machine] for machine in machines
        ],
    }


def _shown(cell: Cell, end: float) -> dict[str, Any]:
    row, worker = cell.row, cell.record["worker"] or {}
    metric = str(row["metric"])
    return {
        "link": f"{cell.archive.page}#configuration={cell.number}",
        "version": worker.get("version") or "",
        "began": f"{cell.archive.results.began:%Y-%m-%d %H:%M} UTC",
        "n": int(row["n"]),
        **(intervals.value(metric, row, cell.leading, end) if row["n"] else intervals.missing(row)),
    }


def _row(archive: Archive) -> dict[str, Any]:
    """An archive in the list of them."""
    records = archive.results.records
    origin = merged.origin(records)
    return {
        "name": archive.name,
        "page": archive.page,
        "machine": cells.machines(archive.results.measurements),
        "measured": origin["measured"],
        "runs": len(records),
        "ok": len(measured(records)),
        "disturbed": sum(bool(record["disturbed"]) for record in records),
        "trainmark": origin["trainmark"],
        "bytes": len(archive.content),
        "sha256": hashlib.sha256(archive.content).hexdigest(),
    }


def _agreement(row: Any) -> dict[str, Any]:
    """A row of `agreement`, with the ratios of the machine's own speed in words."""
    ends = dict.fromkeys(map(cells.factor, (row.host_lowest, row.host_highest)))
    host = "not measured" if pd.isna(row.host_lowest) else " to ".join(ends)
    return {**row._asdict(), "host": host}


def main(folder: Path) -> None:
    """Write the pages of all kept archives into a folder."""
    archives = read(kept.paths())
    folder.mkdir(parents=True, exist_ok=True)
    for archive in archives:
        write_text(page(archive), folder / archive.page)
    write_text(html(archives), folder / "index.html")


if __name__ == "__main__":
    with one_line_errors():
        main(Path(sys.argv[1]))
