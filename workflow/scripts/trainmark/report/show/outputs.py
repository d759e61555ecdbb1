"""One table or figure in all its files."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
from matplotlib.figure import Figure

from trainmark.report.show import style, writers
from trainmark.report.show.writers import Table


class Drawing(NamedTuple):
    """A figure to be drawn, and the data that it shows."""

    data: pd.DataFrame
    draw: Callable[[], Figure]


def table_of(plugin: Any, measurements: pd.DataFrame) -> Table:
    """What one of the files in tables/ makes of measurements."""
    numbers = plugin.make(measurements)
    shown, notes = plugin.show(numbers), plugin.notes(numbers)
    return Table(plugin.TITLE, numbers, shown, plugin.BLOCK, notes)


def write_table(table: Table, outputs: Iterable[str], note: str = "") -> None:
    """Write a table to each output, whose ending names its format; a note goes below its own."""
    told = replace(table, notes=[*table.notes, note]) if note else table
    for output in outputs:
        writers.write(told, Path(output))


def save_figure(draw: Callable[[], Figure], data: pd.DataFrame, outputs: Iterable[str]) -> None:
    """Draw once and save to each output; CSV is the data that the figure shows."""
    with style.applied():
        figure = draw()
        _lay_out(figure)
        for output in outputs:
            style.save(figure, data, Path(output))


def _lay_out(figure: Figure) -> None:
    """Lay a figure out for all formats: it takes longer than to draw one of them."""
    if figure.axes and (layout := figure.get_layout_engine()):
        layout.execute(figure)
        figure.set_layout_engine(None)
