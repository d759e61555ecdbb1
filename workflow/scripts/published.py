"""Rule published: the tables and figures of a published study, made like those of our own."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from trainmark.analyse import published
from trainmark.errors import one_line_errors
from trainmark.report import charts, settings_table
from trainmark.report.show.outputs import save_figure, table_of, write_table
from trainmark.report.show.writers import FORMATS
from trainmark.report.tables import availability, devices, fastest, memory_outliers, speedups

snakemake: Any  # put here by Snakemake

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
ENDINGS = ("svg", "pdf", "png", "csv")
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


def main(values: Path, given: Path, tables: Path, figures: Path) -> None:
    """Make the thesis's 27 charts and its tables, and tables of what it states in its text."""
    cases = published.read_settings(given)
    measurements = published.measurements(values, cases, STUDY, MACHINE)
    for folder in (tables, figures):
        folder.mkdir(parents=True, exist_ok=True)
    settings = replace(settings_table.table(cases, SETTINGS_NOTE), title=SETTINGS_TITLE)
    write_table(settings, paths(tables, "figure-4.5-settings", FORMATS))
    for name, (plugin, title) in TABLES.items():
        table = replace(table_of(plugin, measurements), title=title)
        note = f"{TABLE_NOTE} {POWER_NOTE}" if plugin is devices else TABLE_NOTE
        write_table(table, paths(tables, name, FORMATS), note)
    for case in cases.itertuples():
        for letter in CHARTS:
            draw(measurements, case, letter, figures)


def draw(measurements: Any, case: Any, letter: str, folder: Path) -> None:
    """One of the charts of a row of settings.csv."""
    metric, quantity = CHARTS[letter]
    name, number = f"{case.dataset} {case.network}", f"{case.figure}.{letter}"
    data = charts.data(measurements, name, metric).drop(columns="run_1")  # a mean, no run
    title = f"Figure {number}: {quantity}, {name}"
    file = f"figure-{number}-{metric}-{case.dataset}-{case.network}".lower()
    save_figure(lambda: charts.draw(data, title, metric, NOTE), data, paths(folder, file, ENDINGS))


def paths(folder: Path, name: str, endings: Iterable[str]) -> list[str]:
    """A file in each format."""
    return [f"{folder / name}.{ending}" for ending in endings]


if __name__ == "__main__":
    with one_line_errors():
        main(
            Path(snakemake.input.values),
            Path(snakemake.input.settings),
            Path(snakemake.output.tables),
            Path(snakemake.output.figures),
        )
