"""Several result sets side by side, one machine a column."""

from collections.abc import Iterator
from itertools import chain
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from trainmark.analyse.published.result_sets import AS_PUBLISHED
from trainmark.analyse.sets.adopted import BY_ITS_LOG
from trainmark.analyse.sets.merged import SAME, WORK
from trainmark.report.draw import bars
from trainmark.report.words import cells, layout
from trainmark.report.words.writers import Table
from trainmark.study.axes import HOST_DEFAULTS

TITLE, SOURCES_TITLE = "Speed by machine", "The same on the same hardware, by several sources"
MARKS = {"*": "disturbed", "†": "by_log", "‡": "as_published"}
"""The mark beside a value if any of its rows has this column."""
FROM_LOG = f"†: {BY_ITS_LOG}, not measured by trainmark: no parity, no telemetry."
PUBLISHED = f"‡: {AS_PUBLISHED} others, not measured by trainmark: no spread, no parity."
SEVERAL = (
    "Of several sources: the mean of their means, and the lowest and the highest of these, where "
    "machines of one source count as one; the table of sources has each."
)
SAME_HARDWARE = (
    "On machines of the same processor, cores and GPUs, as they name themselves. A run that two "
    "sources hold counts once, as the first one's."
)


def table(numbers: pd.DataFrame, sources: pd.DataFrame) -> Table:
    """A row per configuration and a column per machine.

    Takes two tables of analyse.sets.merged: `numbers` from `merged`, `sources` from `sources`.
    """
    settings = (name for name in cells.varying(numbers) if name not in HOST_DEFAULTS)
    rows = ["case", "framework", *settings]
    shown = numbers.assign(framework=cells.framework_titles(numbers), column=_columns(numbers))
    texts = [
        {**dict(zip((*rows, "column"), key, strict=True)), "cell": _cell(group)}
        for key, group in shown.groupby([*rows, "column"], sort=False)
    ]
    matrix = pd.DataFrame(texts).pivot(index=rows, columns="column", values="cell")
    named = layout.as_table(matrix)
    notes = [f"{cells.main_units(numbers)}.", cells.INTERVAL]
    notes += [SEVERAL] * bool((numbers["sources"] > 1).any())
    notes += [cells.DISTURBED] * bool(numbers["disturbed"].any())
    notes += [FROM_LOG] * bool(numbers["by_log"].any())
    notes += [PUBLISHED] * bool(numbers["as_published"].any())
    return Table(TITLE, numbers, named, "case", [*notes, *_of_each_source(sources)])


def sources_table(numbers: pd.DataFrame, sources: pd.DataFrame) -> Table:
    """A row per source of each configuration that several sources measured on equal hardware."""
    several = numbers[(numbers["sources"] > 1) & (numbers["n"] > 0)]
    columns = ["case", "framework", "machine", "source", "value", "n", "beside", "differences"]
    shown = layout.for_reading(several.reset_index(drop=True), columns, _shown, 2)
    beside = f"Beside: {cells.ratio_of_means(several)}, above 1 where it is better than there."
    none = "No configuration has a value of the same hardware by two sources."
    notes = [SAME_HARDWARE, none] if several.empty else [f"{cells.main_units(several)}.", beside]
    notes += [SAME_HARDWARE, cells.INTERVAL] * (not several.empty)
    return Table(SOURCES_TITLE, several, shown, "case", [*notes, *_of_each_source(sources)])


def figure(numbers: pd.DataFrame, sources: pd.DataFrame, note: str = "") -> Figure:
    """Bars in one panel per case, with a framework's sources next to each other by number."""
    labels = [
        f"{label}, {source}"
        for label, source in zip(cells.labels(numbers), numbers["source"], strict=True)
    ]
    path_of = dict(zip(sources["source"], sources["place"], strict=True))
    lines = [
        f"{source}: {cells.machines(numbers[numbers['source'] == source])} ({path_of[source]})"
        for source in sorted(numbers["source"].unique())
    ]
    machines = _columns(numbers).unique()
    where = machines[0] if len(machines) == 1 else f"{len(machines)} machines"
    data = numbers.assign(label=labels, machine=where, machine_name="")  # for the subtitle
    return bars.draw(data, TITLE, "\n".join([bars.footnote(data), *lines, note]))


def _columns(numbers: pd.DataFrame) -> pd.Series:
    """Each row's column: machines that share hardware are one column, named by all their hardware.

    But each kind of hardware has a column of its own if a configuration would otherwise have
    values of several kinds in one: for example, of two GPUs in machines with the same processor.
    """
    joined = {kind: kinds for kinds in _joined(numbers) for kind in kinds}
    column = numbers["machine"].map(lambda kind: "; ".join(cells.hardware(joined[kind])))
    keys = ["column", *WORK]
    groups = numbers.assign(column=column).groupby(keys, sort=False, dropna=False)["machine"]
    several = {key[0] for key, kinds in groups if len(cells.hardware(kinds)) > 1}
    return column.mask(column.isin(several), numbers["machine"])


def _joined(numbers: pd.DataFrame) -> list[list[str]]:
    """The kinds of hardware of each machine, in groups: machines that share any are one group."""
    groups: list[list[str]] = []
    for _, kinds in numbers.groupby(["source", "machine_name"], sort=False)["machine"]:
        sharing = [group for group in groups if not set(group).isdisjoint(kinds)]
        apart = [group for group in groups if group not in sharing]
        groups = [*apart, list(dict.fromkeys(chain(*sharing, kinds)))]
    return groups


def _cell(group: pd.DataFrame) -> str:
    """The text of a configuration in one machine's column, usually a single value."""
    return "; ".join(_value(same) for _, same in group.groupby(list(SAME), sort=False))


def _value(same: pd.DataFrame) -> str:
    valued = same[same["n"] > 0]
    if valued.empty:
        return "; ".join(dict.fromkeys(cells.status(row) for row in same.itertuples()))
    metric = valued["metric"].iloc[0]
    means = valued["mean"].astype(float).groupby(valued["source"]).mean()
    marks = "".join(f" {mark}" for mark, column in MARKS.items() if valued[column].any())
    if len(means) == 1:
        return "; ".join(_of_each_name(valued)) + marks
    low, mean, high = (
        cells.number(metric, value) for value in (means.min(), means.mean(), means.max())
    )
    return f"{mean} ({low} to {high}, {len(means)} sources){marks}"


def _of_each_name(valued: pd.DataFrame) -> Iterator[str]:
    """The values of one source; after its machines' names if it has several with this hardware."""
    columns = ["machine_name", "metric", "mean", "half_width"]
    for name, metric, mean, half_width in valued[columns].itertuples(index=False):
        yield f"{name}: " * (len(valued) > 1) + cells.number(metric, mean, half_width)


def _shown(row: Any) -> list[str]:
    title = cells.framework_title(row.framework, row.adapter)
    beside = cells.NOTHING
    if not pd.isna(row.ratio):
        beside = f"{row.beside}: {cells.ratio(row)}, {row.verdict}"
    differences = "" if pd.isna(row.differences) else row.differences
    return [
        row.case,
        title,
        row.machine,
        str(row.source),
        cells.value(row),
        str(row.n),
        beside,
        differences,
    ]


def _of_each_source(sources: pd.DataFrame) -> Iterator[str]:
    """A line for each source."""
    for row in sources.to_dict("records"):
        version = f"trainmark {row['trainmark']}" if row["trainmark"] else ""
        known = f"{row['known']} of {row['values']} values known from an earlier source"
        facts = [row["place"], row["hosts"], row["measured"], version]
        facts += [cells.counted(row["runs"], "run"), known if row["known"] else ""]
        yield f"Source {row['source']}: {'; '.join(str(fact) for fact in facts if fact)}."
