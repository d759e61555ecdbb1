"""Grouped bars: a group for each framework, a bar for each device.

Where precision or input mode vary too, each combination has a group of its own.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from trainmark.analyse.along.scaling import CPU
from trainmark.analyse.compare.configurations import in_its_stages, run_values
from trainmark.report.draw import bars, style, whiskers
from trainmark.report.words import cells
from trainmark.study import plugins
from worker.devices import shape

BAR_INCHES, LEAST_INCHES, PANEL_INCHES = 0.27, 6.6, 3.0
LETTER_INCHES = 0.075  # of a group's label, whose settings have lines of their own
GROUP_WIDTH = 0.86  # of the distance between two groups
HEADROOM = 1.3  # for the numbers above the bars
ACROSS_INCHES = 0.55  # above narrower bars, the number is rotated
ABOVE_POINTS = 3.5  # from a bar's end to its number, to clear the circle of a run
NO_VALUE = "n/a"
ENDS = "Compare the ends of the bars: on a logarithmic axis their lengths say nothing."
CPU_COLOUR = "#8c8c8c"
KIND_COLOURS = ("#1f77b4", "#d1662c", "#2f8f4e", "#8159a4")


def data(measurements: pd.DataFrame, metric: str) -> pd.DataFrame:
    """One row per bar or gap, in the order of the measurements of one case."""
    table = in_its_stages(measurements, metric)
    alike = {"device"}
    if table.groupby("device")["batch_size"].nunique().max() == 1:
        alike.add("batch_size")  # in weak scaling it depends on the device alone
    settings = [name for name in cells.varying(table) if name not in alike]
    table.insert(0, "title", cells.titles(table, settings))
    return table


def draw(
    data: pd.DataFrame, metric: str, title: str, notes: str, logarithmic: bool = False
) -> Figure:
    """Draw the bars from zero, each with its value; a missing value has a mark instead of a bar.

    The reasons of the marks are below `notes`. On a logarithmic axis, which needs values above
    zero, bars start at a power of ten below the lowest value.
    """
    frameworks, devices = list(data["title"].unique()), list(data["device"].unique())
    labels = [name.replace(", ", ",\n") for name in frameworks]
    longest = max((len(line) for label in labels for line in label.splitlines()), default=0)
    group = max(BAR_INCHES * (len(devices) + 1), LETTER_INCHES * longest)
    width = max(LEAST_INCHES, group * len(frameworks))
    lines = [notes, *[ENDS] * logarithmic, *reasons(data)]
    figure = style.framed(width, PANEL_INCHES, title, data, "\n".join(lines))
    axes = figure.subplots()
    palette, axis_end = colours(devices), _axis_end(data)
    axes.set_xticks(range(len(frameworks)), labels)
    axes.set_xlim(-0.6, len(frameworks) - 0.4)
    _scale(axes, data, metric, axis_end)
    if logarithmic:
        _scale_logarithmically(axes, data["mean"].astype(float), axis_end)
    for index, (device, colour) in enumerate(palette.items()):
        rows = data[data["device"] == device]
        thickness = GROUP_WIDTH / len(devices)
        offset = (index - (len(devices) - 1) / 2) * thickness
        positions = [frameworks.index(title) + offset for title in rows["title"]]
        for position, row in zip(positions, rows.itertuples(), strict=True):
            _bar(axes, position, 0.92 * thickness, colour, row, metric, axis_end)
    _legend(axes, palette)
    return figure


def _legend(axes: Axes, palette: Mapping[str, str]) -> None:
    """The device of each colour, above the panel."""
    axes.legend(
        handles=[Patch(color=colour, label=device) for device, colour in palette.items()],
        loc="lower left",
        bbox_to_anchor=(0, 1),
        ncols=len(palette),
        frameon=False,
        fontsize=7.5,
    )


def colours(devices: list[str]) -> dict[str, str]:
    """Grey for the CPU, a colour for each kind of device, darker the more of them there are."""
    sizes: dict[str, list[tuple[int, int]]] = {}
    for device in devices:
        kind, size = _size(device)
        sizes.setdefault(kind, []).append(size)
    bases = dict(zip((kind for kind in sizes if kind != CPU), KIND_COLOURS, strict=False))
    colour_of = {}
    for device in devices:
        kind, size = _size(device)
        fewer = sum(other > size for other in sizes[kind])
        base = bases.get(kind, CPU_COLOUR)
        colour_of[device] = style.lighter(base, 0.5 * fewer / max(1, len(sizes[kind]) - 1))
    return colour_of


def _size(device: str) -> tuple[str, tuple[int, int]]:
    """The kind of a device and its size: the numbers of devices and of nodes, for sorting."""
    kind, nodes, per_node = shape(device)
    return kind, (nodes * per_node, nodes)


def reasons(data: pd.DataFrame) -> list[str]:
    """Why values are missing: each mark in place of a bar with its reasons, commonest first."""
    gaps = data[data["n"] == 0]
    texts = [
        str(remark).removeprefix(f"{status}: ")
        for status, remark in zip(gaps["status"], gaps["remark"], strict=True)
    ]
    marked = gaps.assign(mark=gaps["status"].map(_mark), reason=texts)
    explained = marked[marked["reason"] != marked["mark"]]  # a status may be all there is to say
    return [
        f"{mark}: {cells.commonest(texts)}." for mark, texts in explained.groupby("mark")["reason"]
    ]


def _mark(status: str) -> str:
    """The text in the place of a bar; an ok run may still lack the value."""
    return NO_VALUE if status == "ok" else status


def _bar(
    axes: Axes, position: float, width: float, colour: str, row: Any, metric: str, axis_end: float
) -> None:
    above: dict[str, Any] = {"ha": "center", "va": "bottom", "fontsize": 6.5}
    if not row.n:
        floor = max(0.0, axes.get_ylim()[0])
        quiet: dict[str, Any] = {"color": style.QUIET_COLOUR, "fontstyle": "italic", "rotation": 90}
        axes.text(position, floor, f" {_mark(row.status)}", **quiet, **above)
        return
    axes.bar(position, row.mean, width=width, color=colour)
    runs = list(run_values(row._asdict()).values())
    ends = [row.mean, *runs]
    if pd.notna(row.half_width):
        low, high = row.mean - row.half_width, row.mean + row.half_width
        whiskers.draw(axes, position, (low, high), axis_end, along="y")
        ends.append(min(high, axis_end))
    spread = np.linspace(-0.2, 0.2, len(runs)) * width if len(runs) > 1 else np.zeros(len(runs))
    axes.plot(position + spread, runs, "o", ms=2.5, mfc="white", mec="black", mew=0.4, zorder=3)
    text = cells.number(metric, row.mean) + bars.marks(row)
    above |= {"xytext": (0, ABOVE_POINTS), "textcoords": "offset points"}
    above |= {"rotation": 0 if _inches(axes, width) > ACROSS_INCHES else 90}
    axes.annotate(text, (position, max(ends)), **above)


def _inches(axes: Axes, width: float) -> float:
    """The width of a bar, where the panel is as wide as the figure."""
    left, right = axes.get_xlim()
    return float(axes.figure.bbox.width / axes.figure.dpi * width / (right - left))


def _axis_end(data: pd.DataFrame) -> float:
    means, widths = data["mean"].astype(float), data["half_width"].astype(float).fillna(0)
    return whiskers.axis_end(means.abs(), means + widths)


def _scale(axes: Axes, data: pd.DataFrame, metric: str, axis_end: float) -> None:
    means = data["mean"].astype(float)
    axes.set_ylim(min(0.0, HEADROOM * means.min()), HEADROOM * axis_end or 1)
    if means.isna().all():
        axes.set_yticks([])
    highest = plugins.facts("metric", metric).get("HIGHEST")
    if highest and axis_end:
        axes.set_yticks([tick for tick in axes.get_yticks() if 0 <= tick <= highest])
    axes.yaxis.set_major_formatter("{x:,.10g}")
    axes.set_ylabel(cells.heading(metric, data["network"]), fontsize=8)
    axes.grid(axis="y")


def _scale_logarithmically(axes: Axes, values: pd.Series, axis_end: float) -> None:
    """Make the lowest bar visible; leave as much space for numbers as a linear axis does."""
    style.logarithmic(axes, "y", values)
    floor = 10 ** np.floor(np.log10(axes.get_ylim()[0]))
    axes.set_ylim(floor, floor * (axis_end / floor) ** HEADROOM)
    axes.minorticks_off()
    axes.set_ylabel(f"{axes.get_ylabel()}, logarithmic", fontsize=8)
