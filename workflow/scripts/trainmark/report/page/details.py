"""What the page tells of each configuration: its runs, its settings, its versions, its curves."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from trainmark.report.page import charts, runs
from trainmark.report.show import cells
from trainmark.study.axes import PLACE
from trainmark.study.stages import main_metric

HIDDEN_SETTINGS = ("study", "protocol", "repeat", "data", "reference", "trained")


def of_each(
    listed: pd.DataFrame, records: Sequence[Path], steps: pd.DataFrame
) -> list[dict[str, Any]]:
    """The details of each row of `values.listed`, from the folders of its runs."""
    points = runs.points_each(len(records))
    found: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for record in records:
        run = runs.read(record.parent, points)
        found.setdefault(_place(run["record"]["job"]), []).append({**run, "path": str(record)})
    times = _step_times(steps)
    return [
        _configuration(number, row, found[_place(row)], times.get(_place(row), []))
        for number, row in enumerate(listed.to_dict("records"))
        if _place(row) in found
    ]


def days(details: Sequence[Mapping[str, Any]]) -> list[str]:
    """The days on which runs began, in their order."""
    started = {run["started"][:10] for one in details for run in one["runs"] if run["started"]}
    return sorted(started)


def _place(settings: Mapping[Any, Any]) -> tuple[str, ...]:
    return tuple(str(settings[name]) for name in PLACE)


def _configuration(
    number: int,
    row: Mapping[Any, Any],
    own: Sequence[Mapping[str, Any]],
    times: list[dict[str, Any]],
) -> dict[str, Any]:
    last = own[-1]["record"]
    return {
        "number": number,
        "label": row["label"],
        "case": row["case"],
        "metric": cells.heading(main_metric(row["stage"])),
        "runs": [_run(run) for run in own],
        "settings": {
            name: _text(value) for name, value in last["job"].items() if name not in HIDDEN_SETTINGS
        },
        "versions": dict(_versions(last)),
        "targets": " ".join(run["path"] for run in own),
        "charts": _charts(own, times),
    }


def _run(run: Mapping[str, Any]) -> dict[str, Any]:
    record = run["record"]
    load = record.get("load") or {}
    return {
        "repeat": record["job"]["repeat"],
        "status": record["status"],
        "reason": record["reason"] or "",
        "disturbances": [str(one) for one in record["disturbances"]],
        "attempts": record.get("attempts"),
        "other_cpu": load.get("other_cpu"),
        "started": record["provenance"].get("started") or "",
        "folder": str(Path(run["path"]).parent),
        "log": run["log"],
    }


def _versions(record: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Framework, interpreter, libraries and machine, each by its name."""
    worker, provenance = record.get("worker") or {}, record["provenance"]
    environment = provenance.get("environment") or {}
    yield from ((name, _text(worker[name])) for name in ("framework", "version") if name in worker)
    for name in ("flags", "libraries"):
        yield from ((key, _text(value)) for key, value in (worker.get(name) or {}).items())
    yield "Python", _text(environment.get("python"))
    yield from ((f"host {key}", _text(value)) for key, value in provenance["host"].items())
    yield from ((key, _text(provenance.get(key))) for key in ("trainmark", "revision", "snakemake"))


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _charts(own: Sequence[Mapping[str, Any]], times: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Step times and telemetry of all runs, with the window marked."""
    windows = [run["record"]["window"] for run in own if run["record"].get("window")]
    lengths = [float(window["end_seconds"]) - float(window["start_seconds"]) for window in windows]
    points: dict[str, list[dict[str, Any]]] = {}
    if times:
        points["step time (ms)"] = times
    for run in own:
        name = f"run {run['record']['job']['repeat']}"
        for point in run["curves"]:
            found = {"x": point["x"], "y": point["y"], "run": name}
            points.setdefault(point["curve"], []).append(found)
    return [charts.curves(title, found, lengths) for title, found in points.items()]


def _step_times(steps: pd.DataFrame) -> dict[tuple[str, ...], list[dict[str, Any]]]:
    """The step times that are known, by the configuration's place."""
    found: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for step in steps[steps["milliseconds"].notna()].to_dict("records"):
        point = {
            "x": round(float(step["end_seconds"]), 4),
            "y": float(f"{step['milliseconds']:.4g}"),
            "run": f"run {step['repeat']}",
        }
        found.setdefault(_place(step), []).append(point)
    return found
