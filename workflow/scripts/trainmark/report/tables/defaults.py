"""Each framework with its own default setting, beside what GTDLBench published of it."""

from collections.abc import Iterator
from typing import Any

import pandas as pd

from trainmark.analyse.published.gtdlbench import MACHINE, ORIGIN, beside_published
from trainmark.report.words import cells, layout
from trainmark.study import plugins
from trainmark.study.axes import CONFIGURATION, NAMES

TITLE = "Each framework with its own default setting"
SETTING = "default_of"
BLOCK = "dataset"
PUBLISHED = ("gtdlbench",)
METRICS = ("training_time", "testing_time", "accuracy_top1")
OTHERS = ("accuracy_top5", "training_speed", "pixel_rate", "data_rate", "latency_p50")
LOST = {
    "Torch": ("Torch7", "no package registry carries it; PyTorch trains its settings"),
}
"""Frameworks that can't be had any more: their full names, and what is done instead."""
NONE = "No framework of the study has a default setting of its own in it (default_of)."
NOTE = (
    f"published: by {ORIGIN}, on {MACHINE}. The number of its runs isn't known, so the ratio, "
    "ours / published, has no interval: below 1 ours took less time, or was slower, as the metric "
    "is a time or a speed. What the published times include differs "
    "(`snakemake paper_figures`, table times)."
)
COLUMNS = [*CONFIGURATION, "machine", "metric", "status", "remark", "disturbed", "n", "mean"]
COLUMNS += ["half_width", "default_of", "owner", "published", "ratio", "why_none", "beside"]


def make(measurements: pd.DataFrame) -> pd.DataFrame:
    """One row per setting, point of the axes and metric, and one of a framework that is lost."""
    measured = set(measurements["metric"])
    of_each = [
        beside_published(measurements, name) for name in (*METRICS, *OTHERS) if name in measured
    ]
    table = pd.concat(of_each, ignore_index=True)
    if table.empty:
        return pd.DataFrame(columns=COLUMNS)
    settings = table.groupby(["case", *NAMES], sort=False)
    parts = [part for _, rows in settings for part in (rows, *_lost(rows))]
    return pd.concat(parts, ignore_index=True)[COLUMNS]


def show(table: pd.DataFrame) -> pd.DataFrame:
    """The rows for reading, without what is neither measured nor published."""
    table = table[_are_shown(table)].reset_index(drop=True)
    columns = [BLOCK, "framework", "metric", "ours", "published", "ratio", "remark"]
    return layout.for_reading(table, columns, _shown, 2)


def notes(table: pd.DataFrame) -> list[str]:
    """Notes on the published values, and where ours were measured."""
    return cells.notes(table, NOTE, cells.INTERVAL)


def _lost(rows: pd.DataFrame) -> Iterator[pd.DataFrame]:
    """The row of a framework that the setting was published of, where it can't be had."""
    first = rows.iloc[[0]]
    if (owner := first["owner"].iloc[0]) in LOST:
        name, reason = LOST[owner]
        numbers = dict.fromkeys(("mean", "half_width", "published", "ratio"), float("nan"))
        texts = {"metric": None, "why_none": None, "beside": None}
        remark = f"unavailable: {reason}"
        ended: dict[str, Any] = {"status": "unavailable", "remark": remark, "n": 0}
        yield first.assign(framework=name, disturbed=0, **numbers, **texts, **ended)


def _are_shown(table: pd.DataFrame) -> pd.Series:
    """Which rows show a value, an end that isn't ok, or one of the published metrics."""
    ended = table["status"] != "ok"
    return (table["n"] > 0) | ended | table["metric"].isin(METRICS)


def _shown(row: Any) -> list[str]:
    title = cells.framework_title(row.framework, row.adapter)
    if row.owner in LOST and row.framework == row.default_of:
        title = f"{title} ({row.owner}'s settings)"
    if pd.isna(row.metric):
        nothing = [cells.NOTHING] * 4
        return [row.dataset, title, *nothing, row.remark]
    ours = cells.value(row)
    form = plugins.facts("metric", row.metric)["NUMBER_FORMAT"]
    published = cells.formatted(form, row.published)
    ratio = cells.factor(row.ratio)
    ours_too = not row.n or row.metric == "training_speed"  # else it would stand in each row
    remarks = dict.fromkeys((row.remark if ours_too else None, row.why_none, row.beside))
    remark = "; ".join(remark for remark in remarks if not pd.isna(remark))
    return [row.dataset, title, cells.heading(row.metric), ours, published, ratio, remark]
