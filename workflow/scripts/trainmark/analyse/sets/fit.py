"""Whether an archive in light form is fit to be published: what in it contradicts something else.

It finds damage and mistakes, not invented results.
"""

import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from trainmark.analyse.compare.comparison import Record
from trainmark.analyse.compare.configurations import main_rows
from trainmark.analyse.run.hardware import nodes
from trainmark.analyse.sets import light, result_set
from trainmark.analyse.sets.result_set import ResultSet, UnfitResults
from trainmark.files import strict_json
from trainmark.packed import archive

MOST_BYTES = 1_000_000  # that is kept in the repository for good
LARGEST_DIFFERENCE = 1e-6
"""How far a speed may be from images over seconds, as a part of it."""


def faults(path: Path) -> Iterator[str]:
    """Why an archive isn't fit, one line each; raises the errors of `result_set.read`."""
    if (size := path.stat().st_size) > MOST_BYTES:
        yield f"it has {size:,} bytes; at most {MOST_BYTES:,}"
    results = result_set.read(path)
    with archive.opened(path) as packed:
        texts = {name: packed.read(name).decode(errors="replace") for name in packed.names}
    if light.PROOFS not in texts:
        yield "it isn't in the light form that `snakemake publish` makes"
        return
    for name, text in texts.items():
        if match := light.ABSOLUTE_PATH.search(text):
            yield f"{name} names a folder: {match[0]}"
    yield from _faults_of_runs(results, _proofs(path, texts[light.PROOFS]))


def _faults_of_runs(results: ResultSet, proofs: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    speeds = _speeds(results)
    hosts = light.host_labels(results.records)
    for record in results.records:
        run = light.run_name(record["job"])
        of_run = [
            *_local(record, hosts),
            *_unproven(record, proofs.get(run)),
            *_speed(record, speeds.get(run, math.nan)),
        ]
        yield from (f"{run}: {fault}" for fault in of_run)


def _proofs(path: Path, lines: str) -> dict[str, Mapping[str, Any]]:
    """The parity events by the run's name; raises UnfitResults."""
    try:
        events = [strict_json(line.encode()) for line in lines.splitlines()]
        return {event["run"]: event for event in events if event["limits"].keys() <= event.keys()}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UnfitResults(f"{path}: {light.PROOFS} is damaged ({error})") from error


def _speeds(results: ResultSet) -> dict[str, float]:
    """The main value of each run, by the run's name."""
    rows = main_rows(results.measurements).to_dict("records")
    return {light.run_name(row): float(row["value"]) for row in rows}


def _local(record: Record, hosts: Mapping[str, str]) -> Iterator[str]:
    """Names of hosts, which are to be called as `hosts` says, and an unknown code."""
    for node in nodes(record["provenance"]):
        name = node["host"]["hostname"]
        if name != hosts[name]:
            yield f"it names a host: {name}, to be called {hosts[name]}"
    for name, value in (*record["job"].items(), *record["provenance"].items()):
        if light.is_path(value):
            yield f"its {name} names a folder: {value}"
    revision = record["provenance"]["revision"]
    if not revision or revision.endswith("-dirty"):
        yield "it was measured by an unknown or changed revision of trainmark"


def _unproven(record: Record, proof: Mapping[str, Any] | None) -> Iterator[str]:
    """Faults of the proof of equal work, its verdict found again from errors and limits."""
    if record["status"] != "ok":
        return
    if proof is None:
        yield "it is ok without a proof of parity"
    elif not proof.get("passed"):
        yield "it is ok though its parity failed"
    else:
        for quantity, limit in proof["limits"].items():
            error = proof[quantity]
            if limit is not None and (error is None or error > limit):
                yield f"its {quantity} is off by {error}, beyond {limit}"


def _speed(record: Record, value: float) -> Iterator[str]:
    window, images = record["window"], record["images"]
    if record["status"] != "ok" or not window or not images:
        return
    seconds = window["end_seconds"] - window["start_seconds"]
    if not abs(value * seconds - images) <= LARGEST_DIFFERENCE * images:
        yield f"measurements.csv has {value:,.1f} a second of {images} images in {seconds:,.3f} s"
