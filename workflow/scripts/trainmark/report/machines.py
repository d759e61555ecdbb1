"""Several result sets side by side, one machine a column."""

from collections.abc import Mapping
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from trainmark.analyse.across.configurations import main_values
from trainmark.analyse.logged.adopted import BY_ITS_LOG
from trainmark.report.show import bars, cells
from trainmark.report.show.writers import Table

TITLE = "Speed by machine"
FROM_LOG = f"†: {BY_ITS_LOG}, not measured by trainmark: no parity, no telemetry."


def merge(results: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """The configurations of several measurements, by the name of where they come from.

    A machine is called by its parts, with that name behind where two are made of the same.
    """
    tables = {name: main_values(table) for name, table in results.items()}
    named = {name: cells.machines(table) for name, table in tables.items()}
    alike = [machine for machine in named.values() if list(named.values()).count(machine) > 1]
    labels = {
        name: f"{machine} ({name})" if machine in alike else machine
        for name, machine in named.items()
    }
    parts = [table.assign(machine=labels[name]) for name, table in tables.items()]
    order = ["case", "framework", "device", "machine"]
    return pd.concat(parts).sort_values(order, kind="stable", ignore_index=True)


def table(numbers: pd.DataFrame) -> Table:
    """A row per configuration and a column per machine."""
    titles = cells.framework_titles(numbers)
    rows = ["case", "framework", *cells.varying(numbers)]
    texts = [_cell(row) for row in numbers.itertuples()]
    shown = numbers.assign(framework=titles, cell=texts)
    matrix = shown.pivot(index=rows, columns="machine", values="cell").fillna(cells.NOTHING)
    notes = [f"{cells.main_units(numbers)}.", cells.INTERVAL]
    notes += [cells.DISTURBED] * bool(numbers["disturbed"].any())
    notes += [FROM_LOG] * any(map(_is_from_log, numbers.itertuples()))
    return Table(TITLE, numbers, matrix.rename_axis(columns=None).reset_index(), "case", notes)


def figure(numbers: pd.DataFrame, note: str = "") -> Figure:
    """Bars in one panel per case, the machines of each framework beside each other by number."""
    keys = {name: str(number) for number, name in enumerate(numbers["machine"].unique(), start=1)}
    labels = [
        f"{label}, {keys[machine]}"
        for label, machine in zip(bars.labels(numbers), numbers["machine"], strict=True)
    ]
    data = numbers.assign(label=labels, machine=f"{len(keys)} machines")
    lines = [f"{key}: {machine}" for machine, key in keys.items()]
    return bars.draw(data, TITLE, "\n".join([*lines, note]))


def _cell(row: Any) -> str:
    if not row.n:
        return cells.status(row)
    mark = " *" * bool(row.disturbed) + " †" * _is_from_log(row)
    return cells.number(row.metric, row.mean, row.half_width) + mark


def _is_from_log(row: Any) -> bool:
    """Whether a log from elsewhere states the value."""
    return BY_ITS_LOG in str(row.remark)
