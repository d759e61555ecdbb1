"""A result set: measurements and the records of their runs, in a folder or in an archive."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from io import BytesIO
from pathlib import Path
from typing import Any

import pandas as pd
from jsonschema import Draft202012Validator

from trainmark.analyse.csv import measurements
from trainmark.analyse.run.rows import RUN
from trainmark.analyse.sets import light, shared_study
from trainmark.errors import TrainmarkError
from trainmark.packed import archive
from trainmark.packed.archive import Packed
from trainmark.runs import records
from trainmark.runs.formats import FORMAT, Record
from trainmark.runs.outcome import NOT_NEEDED
from trainmark.runs.records import RECORD
from trainmark.study.axes import HOST_DEFAULTS, KEY, key
from trainmark.study.config import schemas

MEASUREMENTS = "measurements.csv"
NEEDED = ("study", "dataset", "network", "adapter", "environment", "threads", "image_shape")
"""What a job must have beside the key of its run: tables and pages show it."""

DESCRIBED = tuple(name for name in RUN if name != "reason")
"""What all rows of a run say alike; its reason may be of one metric."""


class UnfitResults(TrainmarkError):
    """Results that this trainmark can't read, or that contradict themselves."""


@dataclass(frozen=True)
class ResultSet:
    """Results of one source.

    Attributes:
        place: the path of the folder or the archive.
        measurements: the content of measurements.csv.
        records: the content of these runs' run.json; none if a folder has only measurements.
        has_study: whether it is an archive that holds its study.

    """

    place: str
    measurements: pd.DataFrame
    records: Sequence[Record]
    has_study: bool = False

    @property
    def began(self) -> datetime:
        """When the first of its runs began; there must be records."""
        starts = (record["provenance"]["started"] for record in self.records)
        return min(map(datetime.fromisoformat, starts))


def read(source: Path) -> ResultSet:
    """Read the result set of a measurements.csv, or of an archive.

    Raises UnfitResults, DamagedRecord, UnknownFormat, and the errors of `archive.check`.
    """
    try:
        is_folder = source.name == MEASUREMENTS
        results = _in_folder(source) if is_folder else _in_archive(source)
        _check_measurements(results)
        if not is_folder:
            _check_records(results)
    except (ValueError, RecursionError) as error:  # no CSV, no JSON
        raise UnfitResults(f"{source}: {' '.join(str(error).split())}") from error
    return _of_the_study(results)


def _of_the_study(results: ResultSet) -> ResultSet:
    """The result set without records that its measurements lack.

    Such are the records of cases that were removed from the study, and of repeats that weren't
    needed.
    """
    measured = {_of_run(run) for run in _runs(results.measurements)}
    kept = [record for record in results.records if _of_record(record) in measured]
    return replace(results, records=kept)


def _in_folder(source: Path) -> ResultSet:
    paths = sorted((source.parent / "runs").rglob(RECORD))
    runs = list(map(records.read, paths))
    table = measurements.upgraded(measurements.read(source), str(source))
    return ResultSet(str(source.parent), table, runs)


def _in_archive(source: Path) -> ResultSet:
    with archive.opened(source) as packed:
        if MEASUREMENTS not in packed.names:
            raise UnfitResults(f"{source}: it holds no {MEASUREMENTS}")
        table = measurements.read(BytesIO(packed.read(MEASUREMENTS)))
        table = measurements.upgraded(table, f"{source}: {MEASUREMENTS}")
        runs = list(_packed_records(source, packed))
        _check_formats(
            source, packed.format, [*table["format"].unique(), *(r["format"] for r in runs)]
        )
        return ResultSet(str(source), table, runs, shared_study.FILE in packed.names)


def _packed_records(source: Path, packed: Packed) -> Iterator[Record]:
    """The records of an archive: files each, or in its light form the lines of one."""
    if light.RECORDS in packed.names:
        for number, line in enumerate(packed.read(light.RECORDS).splitlines(), start=1):
            yield records.load(line, f"{source}: {light.RECORDS}: line {number}")
    for name in packed.names:
        if name.endswith(f"/{RECORD}"):
            yield records.load(packed.read(name), f"{source}: {name}")


def _check_formats(source: Path, stated: int, numbers: Iterable[int]) -> None:
    """Check that nothing is of a later format than the archive; runs may be of earlier ones."""
    if newer := [number for number in numbers if number > stated]:
        raise UnfitResults(
            f"{source}: it says that it is of format {stated}, and holds results of "
            f"format {newer[0]}"
        )


def _check_measurements(results: ResultSet) -> None:
    """Check the table against its schema, each column's distinct values once."""
    schema, table = schemas.load("measurement"), results.measurements
    lacking = [name for name in schema["required"] if name not in table]
    unknown = [name for name in table if name not in schema["properties"]]
    if lacking or unknown:
        differing = [f"lacks {name}" for name in lacking] + [f"has {name}" for name in unknown]
        raise UnfitResults(
            f"{results.place}: its {MEASUREMENTS} is no table of format "
            f"{max(table['format'], default=FORMAT)}: it "
            f"{', '.join(differing)}"
        )
    wrong = (
        f"{name} {value!r}"
        for name, rule in schema["properties"].items()
        for value in _wrong(table[name], rule)
    )
    if first := next(wrong, None):
        raise UnfitResults(f"{results.place}: its {MEASUREMENTS} has the {first}")
    _check_rows(results)


def _check_rows(results: ResultSet) -> None:
    """Check that each row has a value or the reason why not, and that a run's rows agree."""
    table = results.measurements
    if (table["value"].isna() == table["absent"].isna()).any():
        raise UnfitResults(
            f"{results.place}: its {MEASUREMENTS} has a row with both a value and the reason why "
            "there is none, or with neither"
        )
    descriptions = table[[*DESCRIBED, "default_of"]].drop_duplicates()
    if (several := descriptions.duplicated([*KEY, "repeat"])).any():
        row = descriptions[several].iloc[0]
        raise UnfitResults(
            f"{results.place}: its {MEASUREMENTS} describes a run in two ways: "
            f"{', '.join(_of_run(row.to_dict()))}"
        )
    if (twice := table.duplicated([*KEY, "repeat", "metric"])).any():
        row = table[twice].iloc[0]
        raise UnfitResults(
            f"{results.place}: its {MEASUREMENTS} has {row['metric']} of "
            f"{', '.join(_of_run(row.to_dict()))} twice"
        )


def _wrong(column: pd.Series, rule: Mapping[str, Any]) -> Iterator[Any]:
    """The values that the schema doesn't allow; in CSV "64" may be a number or a name."""
    validator = Draft202012Validator(rule)
    values = [*column.dropna().unique().tolist(), *([None] if column.isna().any() else [])]
    for value in values:
        forms = [value, *_forms(value)]
        if not any(validator.is_valid(form) for form in forms):
            yield value


def _forms(value: Any) -> Iterator[Any]:
    """Other values that a cell may stand for, besides the one that pandas reads."""
    text = str(value)
    if value is not None:
        yield text
    if text.isdecimal():
        yield int(text)


def _check_records(results: ResultSet) -> None:
    """Check the runs against their schema and against the measurements.

    Jobs may have other settings than today's, as these change with each version.
    """
    if not results.records:
        raise UnfitResults(f"{results.place}: it holds no runs")
    schema = schemas.load("run")
    required_of_job = [*(name for name in KEY if name not in HOST_DEFAULTS), "repeat", *NEEDED]
    job = {**schemas.load("job"), "required": required_of_job, "additionalProperties": True}
    required = {**schema, "properties": {**schema["properties"], "job": job}}
    validator = Draft202012Validator(required)
    for record in results.records:
        if error := next(validator.iter_errors(record), None):
            where = "/".join(map(str, error.absolute_path)) or "it"
            raise UnfitResults(
                f"{results.place}: a {RECORD} isn't as its schema has it: {where} breaks the rule "
                f"{error.validator!r}"
            )
        datetime.fromisoformat(record["provenance"]["started"])  # a day that there is
    measured = Counter(_of_run(run) for run in _runs(results.measurements))
    recorded = Counter(_of_record(run) for run in results.records if run["status"] != NOT_NEEDED)
    if differing := [*(measured - recorded), *(recorded - measured)]:
        raise UnfitResults(
            f"{results.place}: its {MEASUREMENTS} and its files {RECORD} differ: "
            f"{', '.join(differing[0])}"
        )


def _runs(table: pd.DataFrame) -> Iterable[Mapping[Any, Any]]:
    return table[[*KEY, "repeat", "status"]].drop_duplicates().to_dict("records")


def _of_record(run: Record) -> tuple[str, ...]:
    return _of_run({**run["job"], **run})


def _of_run(run: Mapping[Any, Any]) -> tuple[str, ...]:
    return *key(run), str(run["repeat"]), str(run["status"])
