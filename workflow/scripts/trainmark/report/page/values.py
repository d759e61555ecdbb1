"""The values in the page's charts: every metric of every configuration and of each of its runs."""

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from trainmark.analyse.compare.configurations import configurations, in_its_stages, run_values
from trainmark.report.draw import style
from trainmark.report.words import cells
from trainmark.study import plugins
from trainmark.study.axes import CONFIGURATION
from trainmark.study.stages import main_metric

ANY = ""  # not `all`, which is a value of the threads


def short(value: float) -> float:
    """A number with four significant digits, of which a page may have very many."""
    return float(f"{value:.4g}")


def listed(measurements: pd.DataFrame) -> pd.DataFrame:
    """One row per configuration, in the order of the study, numbered from 0.

    Columns: those of a configuration, label (its framework and the settings that vary within its
    case) and framework_colour.
    """
    first = configurations(measurements, measurements["metric"].iloc[0])
    table = first[list(CONFIGURATION)].copy()
    colours = style.colours(table)
    table["label"] = cells.labels(table)
    table["framework_colour"] = table["framework"].map(colours)
    return table


def key(configuration: Mapping[Any, Any] | pd.Series) -> tuple[Any, ...]:
    """What identifies a row of `listed`, and of any table of configurations."""
    return tuple(configuration[name] for name in CONFIGURATION)


def numbers(listed: pd.DataFrame) -> dict[tuple[Any, ...], int]:
    """The number of each row of `listed`, by its key."""
    return {key(row): number for number, row in enumerate(listed.to_dict("records"))}


def filters(listed: pd.DataFrame) -> dict[str, list[str]]:
    """The settings that differ between a case's configurations, and the values of each."""
    return {name: [str(value) for value in listed[name].unique()] for name in cells.varying(listed)}


def metrics(measurements: pd.DataFrame) -> list[str]:
    """The main metrics of the stages, then the others of ours that any run has a value of."""
    valued = {*measurements.loc[measurements["value"].notna(), "metric"].unique()} & {
        *plugins.names("metric")
    }
    main = {main_metric(stage) for stage in measurements["stage"].unique()}
    return sorted(valued | main, key=lambda name: (name not in main, cells.heading(name)))


def rows(measurements: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """The mean of each configuration and metric of its stage, or why there is none.

    Keys: configuration (its number in `listed`), metric, kind ("mean" or "none"), text, and higher
    (whether that is better; not there where neither is). Of a mean also value, low and high (the
    95 % interval's ends), unit and runs (the runs' values by their numbers).
    """
    by_metric = dict(list(measurements.groupby("metric")))
    for metric in metrics(measurements):
        table = in_its_stages(by_metric.get(metric, measurements[:0]), metric)
        higher = plugins.facts("metric", metric).get("HIGHER_IS_BETTER")
        better = {} if higher is None else {"higher": higher}
        for number, row in zip(table.index, table.to_dict("records"), strict=True):
            yield {"configuration": number, "metric": metric, **better, **_of(metric, row)}


def _of(metric: str, row: Mapping[Any, Any]) -> dict[str, Any]:
    if not row["n"]:
        return {"kind": "none", "text": row["remark"] or row["status"]}
    half_width = 0.0 if pd.isna(row["half_width"]) else row["half_width"]
    unit = cells.unit(metric, [row["network"]])
    return {
        "kind": "mean",
        "value": row["mean"],
        "low": row["mean"] - half_width,
        "high": row["mean"] + half_width,
        "text": f"{cells.number(metric, row['mean'], row['half_width'])} {unit}",
        "unit": unit,
        "runs": run_values(row),
    }
