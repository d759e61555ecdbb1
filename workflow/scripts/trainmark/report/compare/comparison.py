"""A result set beside its baseline, as table and figure."""

from collections.abc import Mapping
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from trainmark.analyse.compare.comparison import shared_differences, without
from trainmark.analyse.compare.host_speeds import METRICS
from trainmark.analyse.compare.statistics import Ratio
from trainmark.report.draw import bars, ratios
from trainmark.report.words import cells, layout
from trainmark.report.words.writers import Table

TITLE = "Speed beside the baseline"
NOTE = "above 1 where it is better now. Faster or slower where the interval excludes 1."


def table(numbers: pd.DataFrame, hosts: Mapping[str, Ratio]) -> Table:
    """One row per configuration, with what differs in its origin beside it.

    `hosts` has the ratios of the machine's own speed, by metric.
    """
    differences = numbers["differences"].fillna("")
    shared = shared_differences(differences[numbers["ratio"].notna()])
    columns = ["case", "framework", "baseline", "now", "ratio", "95 % interval", "verdict"]
    apart = [without(text, shared) for text in differences]
    shown = layout.for_reading(numbers, columns, _shown, 2)
    units = f"baseline and now: {cells.main_units(numbers)}."
    everywhere = [f"Everywhere: {'; '.join(shared)}."] if shared else []
    notes = cells.notes(numbers, units, _note(numbers), *everywhere, *_of_hosts(hosts))
    return Table(TITLE, numbers, shown.assign(differences=apart), "case", notes)


def sentence(numbers: pd.DataFrame) -> str:
    """The number of configurations of each verdict, as a sentence."""
    counts = numbers["verdict"].value_counts()
    verdicts = ", ".join(f"{count} {verdict}" for verdict, count in counts.items())
    return f"{cells.counted(len(numbers), 'configuration')}: {verdicts}."


def _of_hosts(ratios: Mapping[str, Ratio]) -> list[str]:
    """A sentence on the machine's own speed; none where it wasn't measured on both sides."""
    texts = [f"{cells.ratio(each)} times in {METRICS[name]}" for name, each in ratios.items()]
    return [f"The machine's own speed, before each run: {', '.join(texts)}."] * bool(texts)


def figure(numbers: pd.DataFrame, note: str = "") -> Figure:
    """Bars in one panel per case, with a line where nothing changed."""
    data = numbers.assign(label=cells.labels(numbers), remark=numbers["verdict"])
    notes = f"{_note(numbers)} Pale: not distinguishable, or without an interval.\n{note}"
    return bars.panels(data, TITLE, notes, _panel, bars.inches)


def _note(numbers: pd.DataFrame) -> str:
    return f"{cells.ratio_of_means(numbers)}, {NOTE}"


def _shown(row: Any) -> list[str]:
    means = (cells.number(row.metric, mean) for mean in (row.mean_baseline, row.mean))
    value = cells.NOTHING if pd.isna(row.ratio) else f"{row.ratio:.3f}"
    title = cells.framework_title(row.framework, row.adapter)
    interval = cells.interval(row.low, row.high)
    return [row.case, title, *means, value, interval, row.verdict + cells.mark(row)]


def _panel(axes: Axes, rows: pd.DataFrame, colours: dict[str, str]) -> None:
    ratios.panel(axes, rows, colours, cells.ratio)
    axes.axvline(1, color="black", linewidth=0.6, linestyle=":")
