"""Main and GPU metrics: a row per metric and framework, a column per device."""

import pandas as pd

from trainmark.analyse.compare.configurations import configurations
from trainmark.report.words import cells, layout
from trainmark.study import plugins
from trainmark.study.axes import CONFIGURATION
from trainmark.study.stages import main_metric

TITLE = "Devices"
BLOCK = "metric"
METRICS = (
    "gpu_memory_mean",
    "gpu_memory",
    "gpu_utilisation",
    "gpu_power",
    "gpu_idle_power",
    "energy_per_1000_images",
    "speed_per_watt",
    "accuracy_top1",
    "parity_error",
)


def make(measurements: pd.DataFrame) -> pd.DataFrame:
    """One row per configuration and metric, the stages' main ones first, of those there are."""
    statistics = ["mean", "median", "standard_deviation", "half_width"]
    columns = [*CONFIGURATION, "machine", "status", "remark", "disturbed", "n", *statistics]
    metrics = [*_main_metrics(measurements), *METRICS]
    measured = set(measurements["metric"])
    parts = [
        configurations(measurements, metric)[columns]
        .astype(dict.fromkeys(statistics, float))
        .assign(metric=metric)
        for metric in metrics
        if metric in measured
    ]
    return pd.concat(parts, ignore_index=True)


def show(table: pd.DataFrame) -> pd.DataFrame:
    """One row per metric, case and framework, in the order of the study; one column per device.

    A metric without any value is told in a note instead, unless it is a stage's main one.
    """
    table = table[~table["metric"].isin(_valueless(table))]
    texts = [cells.value_or_status(row) for row in table.itertuples()]
    networks = table["network"].unique()
    titles = {name: cells.heading(name, networks) for name in table["metric"].unique()}
    headings, frameworks = table["metric"].map(titles), cells.framework_titles(table)
    named = table.assign(metric=headings, framework=frameworks, cell=texts)
    settings = [name for name in cells.varying(table) if name != "device"]
    rows = ["metric", "case", "framework", *settings]
    order = named[rows].drop_duplicates()
    matrix = named.pivot(index=rows, columns="device", values="cell")[named["device"].unique()]
    cellwise = matrix.fillna(cells.NOTHING).rename_axis(columns=None).reset_index()
    return layout.settings_in_words(cellwise.merge(order, on=rows, how="right"))


def notes(table: pd.DataFrame) -> list[str]:
    """The meaning of the marks, where it was measured, and which metrics have no value."""
    interval = [cells.INTERVAL] * bool(table["half_width"].notna().any())
    return cells.notes(table, *interval, *_no_values(table))


def _valueless(table: pd.DataFrame) -> list[str]:
    """The metrics of which no configuration has a value, except the stages' main ones."""
    values = table.groupby("metric", sort=False)["n"].sum()
    main = _main_metrics(table)
    return [metric for metric in values.index[values == 0] if metric not in main]


def _main_metrics(table: pd.DataFrame) -> list[str]:
    return list(dict.fromkeys(map(main_metric, table["stage"].unique())))


def _no_values(table: pd.DataFrame) -> list[str]:
    """Name them with their commonest reason, those of the same one together."""
    titles: dict[str, list[str]] = {}
    for metric in _valueless(table):
        rows = table[table["metric"] == metric]
        title = str(plugins.facts("metric", metric)["TITLE"])
        titles.setdefault(_reason(rows), []).append(title)
    sentences = (f"{', '.join(names)} ({reason})" for reason, names in titles.items())
    return [f"No values: {'; '.join(sentences)}."] if titles else []


def _reason(rows: pd.DataFrame) -> str:
    """Why a metric has no value where a run was well, which is more than that others weren't."""
    well = rows[rows["status"] == "ok"]
    return str((rows if well.empty else well)["remark"].mode().iloc[0])
