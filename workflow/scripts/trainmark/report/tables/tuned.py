"""What experts' settings gain: each framework's default, and the fastest of its other entries."""

import itertools
from typing import Any

import pandas as pd

from trainmark.analyse.compare.configurations import configurations, main_values
from trainmark.analyse.compare.pairs import advantage, with_variants
from trainmark.report.words import cells, layout
from trainmark.study.axes import CONFIGURATION

TITLE = "Tuned"
BLOCK = "case"
SIDES = ("default", "best")
VALUES = ("mean", "half_width", "n", "disturbed", "compile_seconds")
NONE = "No framework of the study has its default and another entry (options)."
NOTE = (
    "default: the entry with the framework's own name. best: of its other entries that are "
    "significantly faster, the one with the highest ratio, which favours lucky ones where "
    "many were tried. compile: seconds of the build and the first step, by default / in the best"
)
COLUMNS = [*CONFIGURATION, "metric", "machine", "status", "remark", "disturbed", "by", "tried"]
COLUMNS += ["with_interval", "ratio", "low", "high"]
COLUMNS += [f"{side}_{name}" for side in SIDES for name in VALUES]


def make(measurements: pd.DataFrame) -> pd.DataFrame:
    """One row per framework with several entries that differ in nothing else.

    `by` is the best entry, missing where none is significantly faster than the default; ratio, low
    and high are how many times as fast it is, with the 95 % interval; `tried` is the number of
    other entries with a value, `with_interval` of those whose ratio has an interval.
    """
    compiled = configurations(measurements, "compile_time")
    table = main_values(measurements)
    table = table.assign(compile_seconds=compiled["mean"].reindex(table.index))
    return pd.DataFrame(itertools.starmap(_row, with_variants(table)), columns=COLUMNS)


def show(table: pd.DataFrame) -> pd.DataFrame:
    """The table for reading."""
    unit = cells.main_units(table)
    columns = ["case", "framework", f"default, {unit}", "best", "by", "gain", "compile s", "status"]
    return layout.for_reading(table, columns, _shown, 2)


def notes(table: pd.DataFrame) -> list[str]:
    """What is compared, and where it was measured."""
    return cells.notes(table, f"{cells.ratio_of_means(table)}. {NOTE}.", cells.INTERVAL)


def _row(default: pd.Series, others: pd.DataFrame) -> dict[str, Any]:
    values = {f"default_{name}": default[name] for name in VALUES}
    tried = others[others["n"] > 0]
    gains = [(advantage(row, default), row) for _, row in tried.iterrows() if default["n"]]
    with_interval = sum(gain.low is not None for gain, _ in gains)
    tries = {"tried": len(tried), "with_interval": with_interval, "by": None}
    common = {**default, **values, **tries}
    faster = [(gain, row) for gain, row in gains if gain.significantly_above]
    if not faster:
        return common
    gain, best = max(faster, key=lambda pair: pair[0].ratio)
    return {
        **common,
        **{f"best_{name}": best[name] for name in VALUES},
        **{"by": best["framework"], "disturbed": default["disturbed"] + best["disturbed"]},
        **{"remark": _both_remarks(default, best)},
        **vars(gain),
    }


def _both_remarks(default: pd.Series, best: pd.Series) -> str | None:
    """The remarks on both, or None without any."""
    remarks = [] if pd.isna(default["remark"]) else [default["remark"]]
    if not pd.isna(best["remark"]):
        remarks.append(f"{best['framework']}: {best['remark']}")
    return "; ".join(remarks) or None


def _shown(row: Any) -> list[str]:
    title = cells.framework_title(row.framework, row.adapter)
    default = cells.number(row.metric, row.default_mean, row.default_half_width)
    compile_seconds = cells.number("compile_time", row.default_compile_seconds)
    if pd.isna(row.by):
        by = f"none of {row.tried}" if row.tried and row.default_n else cells.NOTHING
        nothing = [cells.NOTHING, by, cells.NOTHING]
        return [row.case, title, default, *nothing, compile_seconds, cells.status(row)]
    best = cells.number(row.metric, row.best_mean, row.best_half_width)
    compile_seconds += f" / {cells.number('compile_time', row.best_compile_seconds)}"
    gain = cells.ratio(row)
    return [row.case, title, default, best, row.by, gain, compile_seconds, cells.status(row)]
