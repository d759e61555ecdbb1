"""The style of all figures: settings, colours, scales, titles and footnotes."""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from textwrap import fill
from typing import Any

import matplotlib
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import to_hex, to_rgb
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.ticker import LogLocator, MaxNLocator, NullFormatter

from trainmark.report.words import cells
from trainmark.study import builds, plugins

STEPS_THROUGH_ONE = (1, 2, 2.5, 5, 10)  # times a power of ten; most have a multiple of 1
WIDE = 100  # a factor between the ends of a logarithmic axis
CROWDED = 20  # where an axis ends so far out, the tick at 1 takes the place of that at 0
TEXT_SHARE = 0.45  # the space for text after an axis, as a share of it
UNKNOWN_COLOUR = "#8c8c8c"
QUIET_COLOUR = "#666666"
TOP_INCHES, BOTTOM_INCHES, LINE_INCHES = 0.62, 0.2, 0.13
NOTE_CHARACTERS_PER_INCH = 17
SETTINGS: Any = {
    "font.family": "DejaVu Sans",  # comes with matplotlib, so it is the same on every machine
    "font.size": 8.5,
    "axes.titlesize": 9.5,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.linewidth": 0.6,
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.spines.left": False,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.5,
    "xtick.color": QUIET_COLOUR,
    "xtick.labelcolor": "black",
    "xtick.major.width": 0.6,
    "ytick.major.size": 0,
    "pdf.fonttype": 42,
    "svg.hashsalt": "trainmark",
}
FORMS = {
    "float32": ("o", "#1f77b4"),
    "tf32": ("p", "#17becf"),
    "bfloat16": ("v", "#8159a4"),
    "float16": ("s", "#2f8f4e"),
    "int8-weights": ("P", "#8c6d46"),
    "int8-dynamic": ("^", "#e0a100"),
    "int8-static": ("D", "#d1662c"),
}
"""Marker and colour of each precision, for panels with points of several precisions."""


@contextmanager
def applied() -> Iterator[None]:
    """Apply the style; figures must be drawn and saved within this context."""
    with matplotlib.rc_context():
        matplotlib.rcdefaults()  # whatever the user's matplotlibrc says
        matplotlib.rcParams.update(SETTINGS)
        yield


def colours(configurations: pd.DataFrame) -> dict[str, str]:
    """Each framework's colour: its adapter's, or a lighter shade if its name differs from it.

    Releases that one adapter trains have one colour.
    """
    entries = configurations[["adapter", "framework"]].drop_duplicates()
    colour_of = {}
    for adapter, frameworks in entries.groupby("adapter")["framework"]:
        plain = frameworks.str.replace(builds.RELEASE, "", regex=True)
        others = sorted(set(plain) - {adapter})
        for framework, name in zip(frameworks, plain, strict=True):
            step = others.index(name) + 1 if name in others else 0
            colour_of[framework] = lighter(adapter_colour(str(adapter)), step / (len(others) + 1.5))
    return colour_of


def adapter_colour(adapter: str) -> str:
    """The adapter's own colour, or else the colour of the framework whose environment it uses.

    Grey for an adapter that doesn't exist (any more).
    """
    facts = plugins.facts_if_known("framework", adapter)
    if not facts:
        return UNKNOWN_COLOUR
    return str(facts.get("COLOUR") or adapter_colour(facts.get("ENVIRONMENT", "")))


def lighter(colour: str, share: float) -> str:
    """Mix with white: 0 is the colour itself, 1 is white."""
    red, green, blue = (channel + (1 - channel) * share for channel in to_rgb(colour))
    return to_hex((red, green, blue))


def scale(axes: Axes, highest: float, around_one: bool = False, lowest: float = 0.0) -> None:
    """Scale the values, with ticks from the lowest to the highest and space for text after it.

    With `around_one` there is always a tick at 1, which is what ratios are compared with.
    """
    locator = MaxNLocator(4, steps=STEPS_THROUGH_ONE) if around_one else MaxNLocator(4)
    values = map(float, locator.tick_values(lowest, highest))
    ticks = [tick for tick in values if lowest <= tick <= highest]
    if around_one and not any(math.isclose(tick, 1) for tick in ticks):
        ticks = sorted([*(tick for tick in ticks if tick or highest < CROWDED), 1.0])
    axes.set_xticks(ticks, [f"{tick:,.10g}" for tick in ticks], fontsize=7.5)
    axes.set_xlim(lowest, highest + TEXT_SHARE * (highest - lowest))
    axes.spines["bottom"].set_bounds(lowest, highest)
    axes.grid(axis="x")


def logarithmic(axes: Axes, along: str, values: pd.Series) -> None:
    """A logarithmic scale around values ("x" or "y"), with plain numbers at 1, 2, 5, 10, ….

    Where values span many powers of ten, numbers are at these alone.
    """
    room = 1.5  # a factor wide enough that at least one of these numbers is on the axis
    subs = (1, 2, 5) if values.max() < WIDE * values.min() else (1,)
    axis = {"x": axes.xaxis, "y": axes.yaxis}[along]
    axes.set(**{f"{along}scale": "log", f"{along}lim": (values.min() / room, room * values.max())})
    axis.set_major_locator(LogLocator(subs=subs))
    axis.set_major_formatter("{x:,.10g}")
    axis.set_minor_formatter(NullFormatter())


def framed(width: float, inner_height: float, title: str, data: pd.DataFrame, note: str) -> Figure:
    """Make a figure with title, study and machine above its panels and a footnote below them."""
    text = wrapped(note, width)
    bottom = BOTTOM_INCHES + LINE_INCHES * (text.count("\n") + 1)
    height = inner_height + TOP_INCHES + bottom
    inner = (0, bottom / height, 1, inner_height / height)
    layout = ConstrainedLayoutEngine(rect=inner, w_pad=0.12, h_pad=0.08)
    figure = Figure(figsize=(width, height), layout=layout)
    entitle(figure, title, cells.where(data), text)
    return figure


def wrapped(note: str, width: float) -> str:
    """Fill the lines of a note to a figure's width in inches; empty ones are left out."""
    characters = int(width * NOTE_CHARACTERS_PER_INCH)
    return "\n".join(fill(line, characters) for line in note.split("\n") if line)


def entitle(figure: Figure, title: str, where: str, note: str) -> None:
    """Write the title and the study with its machines on top of a figure and a note at its foot."""
    width, height = figure.get_size_inches()
    left = 0.12 / width
    figure.set_label(title)
    figure.text(left, 1 - 0.1 / height, title, va="top", fontsize=12, fontweight="bold")
    figure.text(left, 1 - 0.36 / height, where, va="top", color=QUIET_COLOUR)
    figure.text(left, 0.08 / height, note, va="bottom", fontsize=7, color=QUIET_COLOUR)
