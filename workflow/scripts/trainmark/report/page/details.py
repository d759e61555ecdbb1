"""What the page tells of each configuration: its runs, its settings, its versions, its curves."""

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from trainmark.report.page import charts, runs
from trainmark.report.words import cells
from trainmark.study import settings_rows
from trainmark.study.axes import KEY, key
from trainmark.study.stages import main_metric

PATHS = ("data", "reference", "trained", "attacked", "attacker")
HIDDEN_SETTINGS = ("study", "protocol", "repeat", *PATHS)
YES_OR_NO = {True: "yes", False: "no"}


def of_each(
    listed: pd.DataFrame, records: Sequence[Path], steps: pd.DataFrame
) -> list[dict[str, Any]]:
    """The details of each row of `values.listed`, from the folders of its runs.

    `steps` has the step times of the runs, and what is doubtful of them.
    """
    repeats = runs.drawn_of_each(len(listed))
    points = runs.points_each(min(len(records), repeats * len(listed)))
    found: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for record in records:
        run = {**runs.read(record.parent), "path": str(record)}
        job = run["record"]["job"]
        is_drawn = job["repeat"] <= repeats
        drawn = runs.curves(record.parent, run["record"], points) if is_drawn else []
        found.setdefault(key(job), []).append({**run, "is_drawn": is_drawn, "curves": drawn})
    times, doubts = _step_times(steps[steps["repeat"] <= repeats]), _doubts(steps)
    return [
        _configuration(
            number, row, found[key(row)], times.get(key(row), []), doubts.get(key(row), {})
        )
        for number, row in enumerate(listed.to_dict("records"))
        if key(row) in found
    ]


def days(details: Sequence[Mapping[str, Any]]) -> list[str]:
    """The days on which runs began, in their order."""
    started = {run["started"][:10] for one in details for run in one["runs"] if run["started"]}
    return sorted(started)


def _configuration(
    number: int,
    row: Mapping[Any, Any],
    own: Sequence[Mapping[str, Any]],
    times: list[dict[str, Any]],
    doubts: Mapping[int, str],
) -> dict[str, Any]:
    records = {run["record"]["job"]["repeat"]: run["record"] for run in own}
    begun = {run: record for run, record in records.items() if record["attempts"]} or records
    return {
        "number": number,
        "label": row["label"],
        "case": row["case"],
        "metric": cells.heading(main_metric(row["stage"])),
        "runs": [_run(run, doubts) for run in own],
        "settings": _together({run: _settings(record) for run, record in begun.items()}),
        "versions": _together({run: _versions(record) for run, record in begun.items()}),
        "targets": shlex.join(run["path"] for run in own),
        "drawn": sum(run["is_drawn"] for run in own),
        "charts": _charts(own, times),
    }


def _run(run: Mapping[str, Any], doubts: Mapping[int, str]) -> dict[str, Any]:
    """What a row of the table of runs tells; a run that is ok may be doubtful all the same."""
    record = run["record"]
    repeat = record["job"]["repeat"]
    load = record.get("load") or {}
    return {
        "repeat": repeat,
        "status": record["status"],
        "reason": doubts.get(repeat) or record["reason"] or "",
        "disturbances": [str(one) for one in record["disturbances"]],
        "attempts": record.get("attempts"),
        "other_cpu": load.get("other_cpu"),
        "started": record["provenance"].get("started") or "",
        "folder": str(Path(run["path"]).parent),
        "log": run["log"],
    }


def _settings(record: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The settings of a run, each by its name in words."""
    for name, value in record["job"].items():
        if name not in HIDDEN_SETTINGS:
            yield name.replace("_", " "), value


def _versions(record: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Framework, interpreter, libraries and machine, each by its name, as far as the run knows."""
    worker, provenance = record.get("worker") or {}, record["provenance"]
    environment = provenance.get("environment") or {}
    found = {name: worker.get(name) for name in ("framework", "version")}
    for name in ("flags", "libraries"):
        found |= worker.get(name) or {}
    found["Python"] = environment.get("python")
    for name in ("host", "batch"):
        told = provenance.get(name) or {}
        found |= dict(_of_host(name, key, value) for key, value in told.items())
    found |= {key: provenance.get(key) for key in ("trainmark", "revision", "snakemake")}
    return ((name, value) for name, value in found.items() if value is not None)


def _of_host(name: str, key: str, value: Any) -> tuple[str, Any]:
    """A fact of the machine or the batch system by its name in words; memory in GiB."""
    words = f"{name} {key.replace('_', ' ')}"
    if value is None or not key.endswith("_bytes"):
        return words, value
    return words.removesuffix(" bytes"), f"{value / runs.GIBIBYTE:.1f} GiB"


def _together(told: Mapping[int, Iterable[tuple[str, Any]]]) -> dict[str, str]:
    """What the runs tell, by its name: one text where all agree, else each text and its runs."""
    found: dict[str, dict[str, list[str]]] = {}
    for run, each in told.items():
        for name, value in each:
            found.setdefault(name, {}).setdefault(_text(value), []).append(str(run))
    return {name: _where_they_differ(runs, len(told)) for name, runs in found.items()}


def _where_they_differ(runs: Mapping[str, Sequence[str]], count: int) -> str:
    first = next(iter(runs))
    if len(runs[first]) == count:
        return first
    return "; ".join(
        f"{text} (run{'s' if len(of) > 1 else ''} {', '.join(of)})" for text, of in runs.items()
    )


def _text(value: Any) -> str:
    if value is None:
        return cells.NOTHING
    return YES_OR_NO[value] if isinstance(value, bool) else str(settings_rows.in_words(value))


def _charts(own: Sequence[Mapping[str, Any]], times: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Step times and telemetry of the first runs, with the window marked."""
    drawn = [run["record"] for run in own if run["is_drawn"]]
    windows = [record["window"] for record in drawn if record.get("window")]
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
    known = steps[steps["milliseconds"].notna()]
    found: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for _, own in known.groupby(list(KEY), sort=False):
        points = zip(own["end_seconds"], own["milliseconds"], own["repeat"], strict=True)
        found[key(own.iloc[0].to_dict())] = [
            {"x": round(float(end), 4), "y": float(f"{time:.4g}"), "run": f"run {repeat}"}
            for end, time, repeat in points
        ]
    return found


def _doubts(steps: pd.DataFrame) -> dict[tuple[str, ...], dict[int, str]]:
    """What is doubtful of runs that are ok, or why others aren't, by place and repeat."""
    found: dict[tuple[str, ...], dict[int, str]] = {}
    doubtful = steps[steps["reason"].notna()].drop_duplicates([*KEY, "repeat"])
    for run in doubtful.to_dict("records"):
        found.setdefault(key(run), {})[run["repeat"]] = run["reason"]
    return found
