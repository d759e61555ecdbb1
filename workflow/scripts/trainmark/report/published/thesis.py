"""Piccione (2018): the thesis's 27 charts and its tables, and tables of what it states in its text.

The code that reports our own measurements makes them.
"""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from trainmark.analyse.published import values as published_values
from trainmark.report.charts import grouped
from trainmark.report.draw.saving import Drawing
from trainmark.report.tables import availability, devices, fastest, memory_outliers, speedups
from trainmark.report.words import settings_table
from trainmark.report.words.writers import Table, table_of

TABLES = {
    "figure-5.1-availability": (availability, "Figure 5.1: availability"),
    "appendix-a": (devices, "Appendix A"),
    "speedups": (speedups, speedups.TITLE),
    "fastest": (fastest, fastest.TITLE),
    "memory-outliers": (memory_outliers, memory_outliers.TITLE),
}
CHARTS = {
    "a": ("training_speed", "Training speed"),
    "b": ("gpu_memory_mean", "GPU memory"),
    "c": ("gpu_power", "GPU power (on the CPU, that of the idle GPU)"),
}
TITLE = "Piccione (2018)"
STUDY = "piccione-2018"
MACHINE = "dual Xeon E5-2620 v2 (ImageNet: E5-2630 v4), Tesla K20m and P100"
NOTE = "As published. Bars: means of three runs, whose spread wasn't published."
TABLE_NOTE = (
    "As published: means of three runs, whose spread wasn't published; each counts as one value "
    "(n = 1). Rounded to whole numbers, which speed-ups over a few images/s inherit."
)
POWER_NOTE = "GPU power on the CPU is that of the idle GPU."
SETTINGS_TITLE = "Figure 4.5: settings"
SETTINGS_NOTE = "As published. The batch size is that of all devices together."


class Thesis(NamedTuple):
    """Its settings, a row per case, and Appendix A as measurements."""

    cases: pd.DataFrame
    measurements: pd.DataFrame


def read(folder: Path) -> Thesis:
    """Read settings.csv and values.csv."""
    cases = published_values.read_settings(folder / "settings.csv")
    values = folder / "values.csv"
    return Thesis(cases, published_values.measurements(values, cases, STUDY, MACHINE))


def tables(thesis: Thesis) -> dict[str, Table]:
    """Its tables under their numbers, and those of what its text says."""
    settings = settings_table.table(thesis.cases, SETTINGS_NOTE)
    made = {"figure-4.5-settings": replace(settings, title=SETTINGS_TITLE)}
    for name, (plugin, title) in TABLES.items():
        table = table_of(plugin, thesis.measurements)
        note = f"{TABLE_NOTE} {POWER_NOTE}" if plugin is devices else TABLE_NOTE
        made[name] = replace(table, title=title, notes=[*table.notes, note])
    return made


def figures(thesis: Thesis) -> dict[str, Drawing]:
    """Its charts under their numbers: three of each row of settings.csv."""
    return dict(
        _chart(thesis.measurements, case, letter)
        for case in thesis.cases.itertuples()
        for letter in CHARTS
    )


def _chart(measurements: pd.DataFrame, case: Any, letter: str) -> tuple[str, Drawing]:
    metric, quantity = CHARTS[letter]
    name, number = f"{case.dataset} {case.network}", f"{case.figure}.{letter}"
    rows = measurements[measurements["case"] == name]
    data = grouped.data(rows, metric).drop(columns="run_1")  # a mean, no run
    title = f"Figure {number}: {quantity}, {name}"
    file = f"figure-{number}-{metric}-{case.dataset}-{case.network}".lower()
    return file, Drawing(data, partial(grouped.draw, data, metric, title, NOTE))
