"""Whether an archive in light form is fit to be published: what in it contradicts something else.

It finds damage and mistakes, not invented results.
"""

import math
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pandas as pd

from trainmark.analyse.compare.configurations import main_rows
from trainmark.analyse.run.hardware import hardware, nodes
from trainmark.analyse.sets import kept, labels, light, proofs, result_set, shared_study
from trainmark.analyse.sets.result_set import DESCRIBED, ResultSet
from trainmark.packed import archive
from trainmark.packed.archive import Packed
from trainmark.runs.formats import Record
from trainmark.study import plugins

MOST_BYTES = 1_000_000  # that is kept in the repository for good
DAY = timedelta(days=1)
SHARES = ("accuracy_top1", "accuracy_top5", "agreement")
"""Metrics in percent of a whole."""
REVISION = re.compile(r"[0-9a-f]{40}")


def faults(path: Path) -> Iterator[str]:
    """Why an archive isn't fit, one line each; raises the errors of `result_set.read`."""
    if (size := path.stat().st_size) > MOST_BYTES:
        yield f"it has {size:,} bytes; at most {MOST_BYTES:,}"
        return
    results = result_set.read(path)
    with archive.opened(path) as packed:
        if light.PROOFS not in packed.names:
            yield "it isn't in the light form that `snakemake publish` makes"
            return
        yield from _faults_of_files(packed)
        yield from _faults_of_labels(packed, results)
        if results.has_study and not shared_study.is_of(
            packed.read(shared_study.FILE), results.records
        ):
            yield f"{shared_study.FILE} isn't the study of its runs as `publish` writes it"
        proven = proofs.read(path, packed.read(light.PROOFS).decode(errors="replace"))
    if fault := kept.misplaced(path, results):
        yield fault
    yield from _faults_of_runs(results, proven)


def _faults_of_files(packed: Packed) -> Iterator[str]:
    """Files that the light form hasn't, and names of folders in any."""
    csvs = (f"{name}.csv" for name in plugins.names("csv"))
    known = {shared_study.FILE, light.RECORDS, light.PROOFS, *csvs}
    yield from (f"it holds {name}" for name in packed.names if name not in known)
    texts = {name: packed.read(name).decode(errors="replace") for name in packed.names}
    for name, text in {**packed.about, **texts}.items():
        if match := light.ABSOLUTE_PATH.search(text):
            yield f"{name} names a folder: {match[0]}"


def _faults_of_labels(packed: Packed, results: ResultSet) -> Iterator[str]:
    """Runs of several studies, and what the archive says of itself otherwise than its runs."""
    studies = sorted({record["job"]["study"] for record in results.records})
    if len(studies) > 1:
        yield f"it holds runs of several studies: {', '.join(studies)}"
    for name, value in labels.of_runs(studies[0], results.records).items():
        if packed.about.get(name) != value:
            yield f"its {name} is {packed.about.get(name)}, not {value}"


def _faults_of_values(table: pd.DataFrame) -> Iterator[str]:
    """Values that no run can have, also in another unit than the metric's.

    Of runs that aren't ok, those are all but proofs'.
    """
    is_proof = table["metric"].map(lambda name: "PROOF" in plugins.facts_if_known("metric", name))
    unproven = table[(table["status"] != "ok") & table["value"].notna() & ~is_proof]
    for row in unproven.to_dict("records"):
        yield f"{light.run_name(row)}: it is {row['status']}, but has a {row['metric']}"
    for row in table[table["value"].abs() == math.inf].to_dict("records"):
        yield f"{light.run_name(row)}: its {row['metric']} is infinite"
    beyond = table["metric"].isin(SHARES) & ~table["value"].fillna(0).between(0, 100)
    for row in table[beyond].to_dict("records"):
        yield f"{light.run_name(row)}: its {row['metric']} is {row['value']} %"
    for row in table[["metric", "unit"]].drop_duplicates().to_dict("records"):
        unit = plugins.facts_if_known("metric", row["metric"]).get("UNIT")
        if unit not in (None, row["unit"]):
            yield f"its {row['metric']} is in {row['unit']}, not in {unit}"


def _faults_of_runs(results: ResultSet, proven: Mapping[str, proofs.Proof]) -> Iterator[str]:
    table = results.measurements
    yield from _faults_of_values(table)
    speeds = _of_runs(main_rows(table))
    errors = _of_runs(table[table["metric"] == "parity_error"])
    hosts = light.host_labels(results.records)
    for record in results.records:
        run = light.run_name(record["job"])
        error = errors[run]["value"] if run in errors else math.nan
        of_run = [
            *_local(record, hosts),
            *proofs.unproven(record, proven.get(run), error),
            *_faults_of_row(record, speeds.get(run)),
        ]
        yield from (f"{run}: {fault}" for fault in of_run)


def _of_runs(table: pd.DataFrame) -> dict[str, Mapping[Any, Any]]:
    """The row of each run in a table of one metric, by the run's name."""
    return {light.run_name(row): row for row in table.to_dict("records")}


def _local(record: Record, hosts: Mapping[str, str]) -> Iterator[str]:
    """Names of hosts, which are to be called as `hosts` says, an unknown code, a day to come."""
    for node in nodes(record["provenance"]):
        name = node["host"]["hostname"]
        if name != hosts[name]:
            yield f"it names a host: {name}, to be called {hosts[name]}"
    for name, value in (*record["job"].items(), *record["provenance"].items()):
        if light.is_path(value):
            yield f"its {name} names a folder: {value}"
    if not REVISION.fullmatch(record["provenance"]["revision"] or ""):
        yield "it was measured by an unknown or changed revision of trainmark"
    if record["provenance"].get("batch"):
        yield "it names its job in a batch system"
    if datetime.fromisoformat(record["provenance"]["started"]) > datetime.now(UTC) + DAY:
        yield f"it began in the future: {record['provenance']['started']}"


def _faults_of_row(record: Record, row: Mapping[Any, Any] | None) -> Iterator[str]:
    """What the run's row of its stage's main metric says otherwise than its record."""
    if row is None:
        yield "measurements.csv lacks its main metric"
        return
    recorded = {
        **record["job"],
        "status": record["status"],
        "disturbed": record["disturbed"],
        "machine": hardware(record["provenance"]),
    }
    if record["disturbed"] != bool(record["disturbances"]):
        yield f"its record says disturbed: {record['disturbed']}, and has other disturbances"
    for name in DESCRIBED:
        if name in recorded and str(row[name]) != str(recorded[name]):
            yield f"measurements.csv has the {name} {row[name]}, its record {recorded[name]}"
    if record["status"] == "ok":
        yield from _faults_of_speed(record, row["value"])


def _faults_of_speed(record: Record, value: float) -> Iterator[str]:
    window, images = record["window"], record["images"]
    if not window or not images:
        yield "it is ok without a window and its images"
        return
    seconds = window["end_seconds"] - window["start_seconds"]
    if seconds <= 0:
        yield f"its window has {seconds:,.3f} s"
    elif not proofs.is_near(value * seconds, images):
        yield f"measurements.csv has {value:,.1f} a second of {images} images in {seconds:,.3f} s"
