"""Piccione (2018): the thesis's 27 charts and its tables, and tables of what it states in its text.

The code that reports our own measurements makes them.
"""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from trainmark.analyse.published import thesis as thesis_sets
from trainmark.analyse.published import values as published_values
from trainmark.analyse.published.generations import generations
from trainmark.analyse.published.result_sets import measurements
from trainmark.analyse.published.thesis import STUDY
from trainmark.report.charts import grouped
from trainmark.report.draw.saving import Drawing
from trainmark.report.tables import availability, devices, fastest, memory_outliers, speedups
from trainmark.report.words import cells, settings_table
from trainmark.report.words.writers import Table, table_of
from trainmark.study import plugins

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
OF_NETWORKS = ("work_speed", "depth_speed")
"""Figures of speeds over what is known of networks."""
TITLE = "Piccione (2018)"
SETS = ("e5-2620", "e5-2630", "k20m", "p100")
MACHINE = "dual Xeon E5-2620 v2 (ImageNet: E5-2630 v4), Tesla K20m and P100"
NOTE = "As published. Bars: means of three runs, whose spread wasn't published."
TABLE_NOTE = (
    "As published: means of three runs, whose spread wasn't published; each counts as one value "
    "(n = 1). Rounded to whole numbers, which speed-ups over a few images/s inherit."
)
WORK_NOTE = (
    "As published. The multiply-adds are those of our networks, which some of the thesis's aren't."
)
POWER_NOTE = "GPU power on the CPU is that of the idle GPU."
MACHINE_COLUMNS = ["dataset", "hardware", "cores", "memory", "power_watts", "system"]
MACHINES_NOTE = (
    "As published; the text says CentOS 7.3 for all. Which processor a GPU's node has isn't said."
)
GENERATIONS_TITLE = "How many times as fast one P100 is as one K20m"
GENERATIONS_NOTE = (
    "As published, training speeds; all: geometric means of the frameworks' ratios of a case, and "
    "of the cases' ratios of a framework. Rounded to whole numbers, as published."
)
SETTINGS_TITLE = "Figure 4.5: settings"
SETTINGS_NOTE = "As published. The batch size is that of all devices together."


class Thesis(NamedTuple):
    """What it published.

    Attributes:
        cases: its settings, a row per case.
        measurements: Appendix A as measurements, in its names.
        in_our_names: the same values in this project's names (`result_sets.measurements`).
        machines, software: the rows of its figures 4.1.b and 4.3.

    """

    cases: pd.DataFrame
    measurements: pd.DataFrame
    in_our_names: pd.DataFrame
    machines: pd.DataFrame
    software: pd.DataFrame


def read(folder: Path) -> Thesis:
    """Read its CSV files."""
    cases = published_values.read_settings(folder / "settings.csv")
    return Thesis(
        cases,
        published_values.measurements(folder / "values.csv", cases, STUDY, MACHINE),
        measurements(thesis_sets.published(folder)),
        pd.read_csv(folder / "machines.csv", dtype=str),
        pd.read_csv(folder / "software.csv", dtype=str),
    )


def tables(thesis: Thesis) -> dict[str, Table]:
    """Its tables under their numbers, and those of what its text says."""
    settings = settings_table.table(thesis.cases, SETTINGS_NOTE)
    made = {"figure-4.5-settings": replace(settings, title=SETTINGS_TITLE)}
    for name, (plugin, title) in TABLES.items():
        table = table_of(plugin, thesis.measurements)
        note = f"{TABLE_NOTE} {POWER_NOTE}" if plugin is devices else TABLE_NOTE
        made[name] = replace(table, title=title, notes=[*table.notes, note])
    return made | _facts(thesis) | _generations(thesis.in_our_names)


def _facts(thesis: Thesis) -> dict[str, Table]:
    """Its machines and its software."""
    machines = thesis.machines[MACHINE_COLUMNS].fillna(cells.NOTHING)
    shown = machines.rename(columns={"power_watts": "power (W)"})
    software = thesis.software.assign(of="thesis")
    return {
        "figure-4.1.b-machines": Table(
            "Figure 4.1.b: machines", thesis.machines, shown, "dataset", [MACHINES_NOTE]
        ),
        "figure-4.3-software": Table(
            "Figure 4.3: software", thesis.software, software, "of", ["As published."]
        ),
    }


def _generations(values: pd.DataFrame) -> dict[str, Table]:
    """How many times as fast one P100 is as one K20m: each ratio, and their geometric means."""
    ratios = generations(values, "k20m", "p100")
    shown = ratios.assign(
        framework=[cells.framework_title(name, name) for name in ratios["framework"]],
        ratio=ratios["ratio"].map(cells.factor),
    )
    return {"k20m-to-p100": Table(GENERATIONS_TITLE, ratios, shown, "case", [GENERATIONS_NOTE])}


def figures(thesis: Thesis) -> dict[str, Drawing]:
    """Its charts under their numbers, three of each row of settings.csv, and further ones."""
    charts = dict(
        _chart(thesis.measurements, case, letter)
        for case in thesis.cases.itertuples()
        for letter in CHARTS
    )
    return charts | dict(_of_networks(thesis.in_our_names, name) for name in OF_NETWORKS)


def _of_networks(values: pd.DataFrame, name: str) -> tuple[str, Drawing]:
    functions = plugins.load("figure", name)
    data = functions.data(values)
    title = plugins.facts("figure", name)["TITLE"]
    return name.replace("_", "-"), Drawing(data, partial(functions.draw, data, title, WORK_NOTE))


def _chart(measurements: pd.DataFrame, case: Any, letter: str) -> tuple[str, Drawing]:
    metric, quantity = CHARTS[letter]
    name, number = f"{case.dataset} {case.network}", f"{case.figure}.{letter}"
    rows = measurements[measurements["case"] == name]
    data = grouped.data(rows, metric).drop(columns="run_1")  # a mean, no run
    title = f"Figure {number}: {quantity}, {name}"
    file = f"figure-{number}-{metric}-{case.dataset}-{case.network}".lower()
    return file, Drawing(data, partial(grouped.draw, data, metric, title, NOTE))
