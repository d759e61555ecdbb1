"""The results of each case as intervals on an axis from zero, in HTML that needs no script.

Places along an axis are percentages of its length, so that a chart fits any width and paper.
"""

from collections.abc import Iterable, Mapping, Sequence
from math import prod
from typing import Any

import pandas as pd
from matplotlib.ticker import MaxNLocator

from trainmark.analyse.compare.configurations import configurations, run_values
from trainmark.analyse.compare.pairs import FASTEST, NOT_DISTINGUISHABLE
from trainmark.report.page import values
from trainmark.report.page.leaders import Leaders
from trainmark.report.words import cells
from trainmark.study import plugins

ALSO = ("latency_p50", "accuracy_top1", "parity_error", "compile_time", "cpu_memory", "own_cpu")
"""The metrics beside the main one; a reader finds all others below "Explore"."""
UNNAMED_UNITS = ("relative", "cores")
MOST_TICKS = 5
MOST_POINTS = 4  # of a case before the others are folded
LONGEST_AXIS = 1.5
"""The axis's length at most, as a multiple of the largest value, however wide intervals are."""

Row = Mapping[Any, Any]
"""A row of a table of configurations."""


def of_cases(
    comparisons: Iterable[tuple[Leaders, pd.DataFrame]],
    listed: pd.DataFrame,
    measurements: pd.DataFrame,
    jobs: Sequence[Mapping[str, Any]],
) -> list[dict[str, Any]]:
    """Each case with its comparisons, by the names that study.html has for them.

    `comparisons` are of `leaders.comparisons`, `listed` is of `values.listed`; `jobs` are
    those of all runs.
    """
    numbers = values.numbers(listed)
    valued = set(measurements.loc[measurements["value"].notna(), "metric"].unique())
    also = {
        name: {
            values.key(row): row for row in configurations(measurements, name).to_dict("records")
        }
        for name in ALSO
        if name in valued
    }
    cases: dict[str, list[dict[str, Any]]] = {}
    for leading, group in comparisons:
        colours = listed["framework_colour"]
        rows = [(numbers[values.key(row)], row) for _, row in group.iterrows()]
        cases.setdefault(leading.case, []).append(_point(leading, rows, colours, also))
    return [
        {
            "name": case,
            "setting": _setting([job for job in jobs if job["case"] == case]),
            "points": of_case[:MOST_POINTS],
            "more": of_case[MOST_POINTS:],
        }
        for case, of_case in cases.items()
    ]


def _point(
    leading: Leaders,
    rows: Sequence[tuple[int, pd.Series]],
    colours: pd.Series,
    also: Mapping[str, Mapping[tuple[Any, ...], Row]],
) -> dict[str, Any]:
    """The rows of frameworks that are compared with each other, and their axis."""
    metric = str(rows[0][1]["metric"])
    end, ticks = axis([row for _, row in rows if row["n"]])
    keys = [values.key(row) for _, row in rows if row["n"]]
    shown = {name: table for name, table in also.items() if any(table[each]["n"] for each in keys)}
    return {
        "leaders": leading,
        "heading": cells.heading(metric, [rows[0][1]["network"]]),
        "ticks": ticks,
        "rows": [
            {
                "number": number,
                "framework": cells.framework_title(row["framework"], row["adapter"]),
                "colour": colours[number],
                "also": [_also(name, table[values.key(row)]) for name, table in shown.items()],
                **(value(metric, row, leading, end) if row["n"] else missing(row)),
            }
            for number, row in rows
        ],
        "columns": [plugins.facts("metric", name)["TITLE"] for name in shown],
    }


def missing(row: pd.Series) -> dict[str, Any]:
    """Why a configuration has no value."""
    return {"missing": cells.status(row)}


def value(metric: str, row: pd.Series, leading: Leaders, end: float) -> dict[str, Any]:
    """The texts of a configuration's row, and its places along the axis."""
    half_width = 0.0 if pd.isna(row["half_width"]) else float(row["half_width"])
    low, mean, high = (_place(row["mean"] + sign * half_width, end) for sign in (-1, 0, 1))
    value, *plus_minus = cells.number(metric, row["mean"], row["half_width"]).split(" ± ")
    return {
        "value": value,
        "half_width": "".join(plus_minus),
        "mean": mean,
        "low": low,
        "width": round(high - low, 2),
        "is_cut": row["mean"] + half_width > end,
        "runs": [_place(run, end) for run in run_values(row).values()],
        **_verdict(row, leading),
        "disturbed": int(row["disturbed"]),
        "repeats": int(row["repeats"]),
        "remark": "" if pd.isna(row["remark"]) else row["remark"],
    }


def _verdict(row: pd.Series, leading: Leaders) -> dict[str, str]:
    """The verdict in words, its kind (a class of page.css) and the ratio to the best mean."""
    if leading.compared == 1:
        return {"verdict": "", "kind": "", "ratio": ""}
    if row["verdict"] == FASTEST:
        if leading.is_significant:
            return {"verdict": FASTEST, "kind": "good", "ratio": ""}
        return {"verdict": "highest mean", "kind": "calm", "ratio": ""}
    kind = "warn" if row["verdict"] == NOT_DISTINGUISHABLE else "calm"
    return {"verdict": row["verdict"], "kind": kind, "ratio": cells.ratio(row)}


def _also(metric: str, row: Row) -> str:
    text = cells.number(metric, row["mean"])
    unit = cells.unit(metric, [row["network"]])
    return text if text == cells.NOTHING or unit in UNNAMED_UNITS else f"{text} {unit}"


def axis(valued: Sequence[pd.Series]) -> tuple[float, list[dict[str, Any]]]:
    """The value at the axis's end, and its ticks: places and texts."""
    if not valued:
        return 1.0, []
    largest = max(max(run_values(row).values()) for row in valued)
    ends = [row["mean"] + row["half_width"] for row in valued if not pd.isna(row["half_width"])]
    end = min(max([largest, *ends]), LONGEST_AXIS * largest) * 1.02
    ticks = MaxNLocator(MOST_TICKS, steps=[1, 2, 2.5, 5, 10]).tick_values(0, end)
    texts = {float(tick): f"{tick:,.6g}" for tick in ticks if 0 <= tick < end}
    return end, [{"place": _place(tick, end), "text": text} for tick, text in texts.items()]


def _place(value: float, end: float) -> float:
    """The place of a value along an axis from 0 to `end`, in percent."""
    return round(100 * min(max(0.0, value / end), 1), 2)


def _setting(jobs: Sequence[Mapping[str, Any]]) -> str:
    """What all runs of a case have in common, in words."""
    facts = [_facts(job) for job in jobs]
    return ", ".join(fact for fact in facts[0] if all(fact in other for other in facts))


def _facts(job: Mapping[str, Any]) -> list[str]:
    shape = "x".join(map(str, job.get("image_shape", ())))
    if shape and cells.reads_text(job["network"]):
        shape = cells.counted(prod(job["image_shape"]), "token")
    facts = [
        f"{job['network']} on {job['dataset']}" + f" ({shape})" * bool(shape),
        f"batch {job['batch_size']}",
    ]
    if job.get("learning_rate"):
        facts.append(f"{job['optimiser']} at {job['learning_rate']:g}")
    return [*facts, job["precision"], job["device"], cells.threads(job["thread_count"])]
