"""The page of a study: answers, results, evidence, values to choose from, figures and tables."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from trainmark.analyse.compare.pairs import beside_the_fastest
from trainmark.report.page import (
    answers,
    charts,
    details,
    document,
    evidence,
    gains,
    intervals,
    values,
)
from trainmark.report.page.leaders import comparisons
from trainmark.report.page.runs import Run, measured
from trainmark.report.page.verdicts import verdicts
from trainmark.report.words import cells
from trainmark.report.words.writers import Table, table_of
from trainmark.study import plugins


def html(
    sources: Mapping[str, pd.DataFrame],
    tables: Sequence[str],
    drawings: Sequence[Path],
    runs: Sequence[Run],
    command: str,
) -> str:
    """The page of a study, from its sources, with these tables and figures.

    `command` is what runs the study, to which a configuration's target is added where its runs
    have folders; empty where it isn't known.
    """
    measurements = sources["measurements"]
    listed = values.listed(measurements)
    filters, metrics = values.filters(listed), values.metrics(measurements)
    configurations = details.of_each(listed, runs, measurements, sources["steps"])
    return document.html(
        str(measurements["study"].iloc[0]),
        tables=[_table(name, sources) for name in tables],
        drawings=drawings,
        template="study.html",
        **_results(listed, measurements, [run.record for run in runs]),
        metrics={name: _heading(name, listed["network"]) for name in metrics},
        filters=filters,
        any=values.ANY,
        cases=list(dict.fromkeys(listed["case"])),
        charts=_charts(measurements, listed, metrics, filters),
        verdicts=verdicts(listed, measurements),
        configurations=configurations,
        command=command,
        has_folders=any(run.path for run in runs),
        study_script=document.source("study.js"),
        library=document.library(),
    )


def _results(
    listed: pd.DataFrame, measurements: pd.DataFrame, records: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """What the page shows without scripts, by the names that study.html has for it."""
    compared = beside_the_fastest(measurements)
    groups = list(comparisons(compared))
    ok = len(measured(records))
    return {
        "heading": answers.title(compared, measurements, ok),
        "facts": answers.facts(compared, records),
        "badges": list(answers.badges(compared, measurements, records)),
        "answers": {
            "Which is fastest?": [
                *answers.fastest([leaders for leaders, _ in groups]),
                *gains.lines(measurements),
            ],
            "Did they do the same work?": list(answers.same_work(measurements, ok)),
            "Can the numbers be trusted?": list(answers.trusted(compared, records)),
        },
        "results": intervals.of_cases(
            groups, listed, measurements, [record["job"] for record in records]
        ),
        "machines": evidence.machines(compared, records),
        "versions": evidence.versions(records),
        "checks": evidence.checks(compared, measurements, records),
    }


def _heading(metric: str, networks: Iterable[str]) -> dict[str, str]:
    return {"heading": cells.heading(metric, networks), "unit": cells.unit(metric, networks)}


def _table(name: str, sources: Mapping[str, pd.DataFrame]) -> Table:
    plugin = plugins.load("table", name)
    return table_of(plugin, sources[getattr(plugin, "SOURCE", "measurements")])


def _charts(
    measurements: pd.DataFrame,
    listed: pd.DataFrame,
    metrics: Sequence[str],
    filters: Mapping[str, Sequence[str]],
) -> dict[str, Any]:
    """The chart of each case, by its name."""
    rows: dict[int, list[dict[str, Any]]] = {}
    for row in values.rows(measurements):
        rows.setdefault(row["configuration"], []).append(row)
    drawn = {}
    for case, configurations in listed.groupby("case", sort=False):
        shown = [row for number in configurations.index for row in rows.get(number, [])]
        drawn[str(case)] = charts.of_case(configurations, shown, metrics[0], list(filters))
    return drawn
