"""The details of each configuration on the page: runs, settings, versions, curves."""

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from trainmark.analyse.run.hardware import memory_in_words
from trainmark.report.page import charts, runs
from trainmark.report.page.runs import Run
from trainmark.report.page.values import short
from trainmark.report.words import cells
from trainmark.study import settings_rows
from trainmark.study.axes import KEY, key
from trainmark.study.stages import main_metric

PATHS = ("data", "reference", "trained", "attacked", "attacker")
HIDDEN_SETTINGS = ("study", "protocol", "repeat", *PATHS)
YES_OR_NO = {True: "yes", False: "no"}


def of_each(
    listed: pd.DataFrame, all_runs: Sequence[Run], measurements: pd.DataFrame, steps: pd.DataFrame
) -> list[dict[str, Any]]:
    """The details of each row of `values.listed`, from its runs.

    `measurements` has remarks on the runs, `steps` their step times.
    """
    repeats = runs.drawn_of_each(len(listed))
    points = runs.points_each(min(len(all_runs), repeats * len(listed)))
    runs_by_key: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for run in all_runs:
        job = run.record["job"]
        is_drawn = job["repeat"] <= repeats
        shown = {
            "record": run.record,
            "path": run.path,
            "log": run.log(),
            "is_drawn": is_drawn,
            "curves": run.curves(points) if is_drawn else [],
        }
        runs_by_key.setdefault(key(job), []).append(shown)
    times, remarks = _step_times(steps[steps["repeat"] <= repeats]), _remarks(measurements)
    return [
        _configuration(
            number,
            row,
            runs_by_key[key(row)],
            times.get(key(row), []),
            remarks.get(key(row), {}),
        )
        for number, row in enumerate(listed.to_dict("records"))
        if key(row) in runs_by_key
    ]


def _configuration(
    number: int,
    row: Mapping[Any, Any],
    repeats: Sequence[Mapping[str, Any]],
    times: list[dict[str, Any]],
    remarks: Mapping[int, str],
) -> dict[str, Any]:
    records = {run["record"]["job"]["repeat"]: run["record"] for run in repeats}
    begun = {run: record for run, record in records.items() if record["attempts"]} or records
    return {
        "number": number,
        "label": row["label"],
        "case": row["case"],
        "metric": cells.heading(main_metric(row["stage"]), [row["network"]]),
        "runs": [_run(run, remarks) for run in repeats],
        "settings": _together({run: _settings(record) for run, record in begun.items()}),
        "versions": _together({run: _versions(record) for run, record in begun.items()}),
        "targets": shlex.join(str(run["path"]) for run in repeats),
        "drawn": sum(run["is_drawn"] for run in repeats),
        "charts": _charts(repeats, times),
    }


def _run(run: Mapping[str, Any], remarks: Mapping[int, str]) -> dict[str, Any]:
    """A row of the table of runs; a run that is ok may have a remark, too."""
    record = run["record"]
    repeat = record["job"]["repeat"]
    load = record.get("load") or {}
    return {
        "repeat": repeat,
        "status": record["status"],
        "reason": remarks.get(repeat) or record["reason"] or "",
        "disturbances": [str(one) for one in record["disturbances"]],
        "attempts": record.get("attempts"),
        "other_cpu": load.get("other_cpu"),
        "started": record["provenance"].get("started") or "",
        "folder": str(run["path"].parent) if run["path"] else "",
        "log": run["log"],
    }


def _settings(record: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The settings of a run, each by its name in words."""
    for name, value in record["job"].items():
        if name not in HIDDEN_SETTINGS:
            yield name.replace("_", " "), value


def _versions(record: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Framework, interpreter, libraries and machine, by name, as far as the record has them."""
    worker, provenance = record.get("worker") or {}, record["provenance"]
    environment = provenance.get("environment") or {}
    versions = {name: worker.get(name) for name in ("framework", "version")}
    for name in ("flags", "libraries"):
        versions |= worker.get(name) or {}
    versions["Python"] = environment.get("python")
    for name in ("host", "batch"):
        facts = provenance.get(name) or {}
        versions |= dict(_of_host(name, fact, value) for fact, value in facts.items())
    versions |= {name: provenance.get(name) for name in ("trainmark", "revision", "snakemake")}
    return ((name, value) for name, value in versions.items() if value is not None)


def _of_host(name: str, fact: str, value: Any) -> tuple[str, Any]:
    """A fact of the machine or the batch system by its name in words; memory in GiB."""
    words = f"{name} {fact.replace('_', ' ')}"
    if value is None or not fact.endswith("_bytes"):
        return words, value
    return words.removesuffix(" bytes"), memory_in_words(value)


def _together(facts: Mapping[int, Iterable[tuple[str, Any]]]) -> dict[str, str]:
    """The facts of runs by name: one text where all runs agree, else each text with its runs."""
    runs_by_text: dict[str, dict[str, list[str]]] = {}
    for run, each in facts.items():
        for name, value in each:
            runs_by_text.setdefault(name, {}).setdefault(_text(value), []).append(str(run))
    return {name: _where_they_differ(runs, len(facts)) for name, runs in runs_by_text.items()}


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


def _charts(
    repeats: Sequence[Mapping[str, Any]], times: list[dict[str, Any]]
) -> list[dict[str, Any]]:
    """Step times and telemetry of the first runs, with the window marked."""
    drawn = [run["record"] for run in repeats if run["is_drawn"]]
    windows = [record["window"] for record in drawn if record.get("window")]
    lengths = [float(window["end_seconds"]) - float(window["start_seconds"]) for window in windows]
    points: dict[str, list[dict[str, Any]]] = {}
    if times:
        points["step time (ms)"] = times
    for run in repeats:
        name = f"run {run['record']['job']['repeat']}"
        for point in run["curves"]:
            one = {"x": point["x"], "y": point["y"], "run": name}
            points.setdefault(point["curve"], []).append(one)
    return [charts.curves(title, curve, lengths) for title, curve in points.items()]


def _step_times(steps: pd.DataFrame) -> dict[tuple[str, ...], list[dict[str, Any]]]:
    """The measured step times, by the configuration's key."""
    timed = steps[steps["milliseconds"].notna()]
    times: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for _, rows in timed.groupby(list(KEY), sort=False):
        points = zip(rows["end_seconds"], rows["milliseconds"], rows["repeat"], strict=True)
        times[key(rows.iloc[0].to_dict())] = [
            {"x": round(float(end), 4), "y": short(time), "run": f"run {repeat}"}
            for end, time, repeat in points
        ]
    return times


def _remarks(measurements: pd.DataFrame) -> dict[tuple[str, ...], dict[int, str]]:
    """Remarks on runs with status ok, and the reasons of other statuses, by key and repeat."""
    remarks: dict[tuple[str, ...], dict[int, str]] = {}
    remarked = measurements[measurements["reason"].notna()].drop_duplicates([*KEY, "repeat"])
    for run in remarked.to_dict("records"):
        remarks.setdefault(key(run), {})[run["repeat"]] = run["reason"]
    return remarks
