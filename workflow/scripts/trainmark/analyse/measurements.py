"""All runs' measurements as one tidy table, one row per run and metric."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, BinaryIO

import pandas as pd

from trainmark.analyse.run.checks import violations
from trainmark.analyse.run.metrics.accuracy import Point, evaluations
from trainmark.analyse.run.recording import Absent, Run
from trainmark.analyse.run.steps import losses, spans
from trainmark.runs.events import Event, last_of_each
from trainmark.runs.outcome import NOT_NEEDED
from trainmark.study import plugins
from trainmark.study.axes import CONFIGURATION, NAMES, UNSEEN

RUN = (*CONFIGURATION, "repeat", "status", "reason", "disturbed", "machine")
STEP_COLUMNS = (*RUN, "end_seconds", "milliseconds", "absent")
ACCURACY_COLUMNS = (*RUN, *Point._fields, "absent")
LOSS_COLUMNS = (*RUN, "steps", "seconds", "loss", "absent")
COLUMNS = (*RUN, "default_of", "metric", "unit", "value", "absent")
TEXTS = ("status", "reason", "absent", "default_of", "attack", *NAMES)
"""Columns that are text even where they are empty, or numbers."""

Events = Mapping[str, Mapping[str, Any]]
Rows = Callable[[Run], Iterable[dict[str, Any]]]


def events_by_folder(lines: Iterable[str]) -> dict[str, Events]:
    """Lines of events.jsonl to each run folder's events, the last of each kind."""
    found: dict[str, list[Event]] = {}
    for event in map(json.loads, lines):
        found.setdefault(event["run"], []).append(event)
    return {folder: last_of_each(events) for folder, events in found.items()}


def read_run(
    folder: Path,
    events: Events,
    loses_evaluation: bool = False,
    target_accuracy: float | None = None,
) -> Run:
    """Read one run's folder; telemetry and data only where the run has something to measure."""
    record = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    if record["status"] != "ok":
        return Run(record, events)
    telemetry = pd.read_csv(folder / "telemetry.csv")
    dataset = _dataset(record["job"]["data"])
    return Run(record, events, telemetry, dataset, loses_evaluation, target_accuracy)


def _dataset(path: str | None) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if path is not None and Path(path).is_file():
        found = json.loads(Path(path).read_text(encoding="utf-8"))
    return found


def measure(run: Run) -> Iterator[dict[str, Any]]:
    """Make what the rows of one run have of their own, one for each metric there is."""
    for name in plugins.names("metric"):
        unit = plugins.facts("metric", name)["UNIT"]
        row = {"metric": name, "unit": unit, "value": None, "absent": None}
        try:
            row["value"] = value_of(name, run)
        except Absent as absent:
            row["absent"] = str(absent)
        yield row


def value_of(metric: str, run: Run) -> float:
    """The value of a metric, by its name; raises Absent with the reason.

    A run that isn't ok has no value, except of the metric by whose proof it failed.
    """
    proof = plugins.facts("metric", metric).get("PROOF", "")
    if run.events.get(proof, {}).get("passed") is not False:
        _require_ok(run)
    value: float = plugins.load("metric", metric)(run)
    return value


def _require_ok(run: Run) -> None:
    if run.record["status"] != "ok":
        raise Absent(": ".join(filter(None, (run.record["status"], run.record["reason"]))))


@cache
def describe(run: Run) -> dict[str, Any]:
    """Describe the run as all its rows do; an ok run that breaks a check has that as its reason.

    Every row of every table asks for it, and the checks take longer than all the rest.
    """
    record = run.record
    job = {key: run.job[key] for key in (*CONFIGURATION, "repeat")}
    reason = record["reason"]
    if record["status"] == "ok":
        reason = "; ".join(violations(run)) or None
    return job | {
        "status": record["status"],
        "reason": reason,
        "disturbed": record["disturbed"],
        "machine": machine(record["provenance"]),
    }


def machine(provenance: Mapping[str, Any]) -> str:
    """Name the machine in a few words: processor, cores, GPUs; of several nodes, how many."""
    others = provenance.get("nodes", [])
    named = Counter(_hardware(node) for node in (provenance, *others))
    if not others:
        return _hardware(provenance)
    return " + ".join(
        f"{count} node{'s' if count > 1 else ''} of {name}" for name, count in named.items()
    )


def _hardware(node: Mapping[str, Any]) -> str:
    host, gpus = node["host"], [gpu["name"] for gpu in node["gpus"]]
    counted = [f"{gpus.count(name)} x {name}" for name in dict.fromkeys(gpus)]
    cores = f"{host['cores']} core{'s' if host['cores'] != 1 else ''}"
    return ", ".join([host["cpu"] or "unknown CPU", cores, *counted])


def tabulate(
    runs: Iterable[Run], default_of: Mapping[str, str] = MappingProxyType({})
) -> pd.DataFrame:
    """All measurements of a study, in the order of the runs, which is that of the study.

    `default_of` is the framework whose default a case is, by the case's name. A repeat that wasn't
    needed is no run.
    """
    table = beside_their_runs(needed(runs), measure, COLUMNS)
    return table.assign(default_of=table["case"].map(default_of).astype(object))


def tabulate_steps(runs: Iterable[Run]) -> pd.DataFrame:
    """The step times of all runs, in spans of the window, in the same order.

    A run without step times has one row, which says why.
    """
    return beside_their_runs(needed(runs), _known(_steps), STEP_COLUMNS)


def tabulate_accuracies(runs: Iterable[Run]) -> pd.DataFrame:
    """Accuracies while training went on, a row for each evaluation, in the same order.

    A run without any has one row, which says why.
    """
    table = beside_their_runs(needed(runs), _known(_accuracies), ACCURACY_COLUMNS)
    return table.astype({"steps": "Int64"})


def tabulate_losses(runs: Iterable[Run]) -> pd.DataFrame:
    """The mean losses of all runs, in spans of the window, in the same order.

    A run that trained nothing has one row, which says why.
    """
    return beside_their_runs(needed(runs), _known(_losses), LOSS_COLUMNS)


def needed(runs: Iterable[Run]) -> Iterator[Run]:
    """The runs without the repeats that weren't needed, which are none."""
    return (run for run in runs if run.record["status"] != NOT_NEEDED)


def beside_their_runs(runs: Iterable[Run], rows: Rows, columns: Sequence[str]) -> pd.DataFrame:
    """A table of the rows that are made of each run, with what describes the run in each.

    `columns` are those of all of it, RUN among them.
    """
    described, found, numbers = [], [], []
    for number, run in enumerate(runs):
        described.append(describe(run))
        for row in rows(run):
            found.append(row)
            numbers.append(number)
    own = pd.DataFrame(described, columns=list(RUN)).take(numbers).reset_index(drop=True)
    others = pd.DataFrame(found, columns=[name for name in columns if name not in RUN])
    return pd.concat([own, others], axis="columns")[list(columns)]


def _known(rows: Rows) -> Rows:
    """The same rows, or one that says why a run has none."""

    def known(run: Run) -> Iterable[dict[str, Any]]:
        try:
            _require_ok(run)
            return rows(run)
        except Absent as absent:
            return [{"absent": str(absent)}]

    return known


def _steps(run: Run) -> list[dict[str, Any]]:
    return [{"end_seconds": end, "milliseconds": time} for end, time in spans(run)]


def _accuracies(run: Run) -> list[dict[str, Any]]:
    return [point._asdict() for point in evaluations(run)]


def _losses(run: Run) -> list[dict[str, Any]]:
    return [dict(zip(("steps", "seconds", "loss"), span, strict=True)) for span in losses(run)]


def read(path: Path | BinaryIO) -> pd.DataFrame:
    """Read one of these tables."""
    return pd.read_csv(path, dtype=dict.fromkeys(TEXTS, str))


def read_result_set(path: Path | BinaryIO) -> pd.DataFrame:
    """Read the measurements.csv of a result set, which may be from before there was some axis."""
    table = read(path)
    return table.assign(**{name: value for name, value in UNSEEN.items() if name not in table})
