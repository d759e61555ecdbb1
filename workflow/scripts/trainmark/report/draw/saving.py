"""Saving figures: the same figure gives the same files."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

import pandas as pd
from matplotlib.figure import Figure

from trainmark.report.draw import style

DOTS_PER_INCH = 200  # of PNG files
# No dates and no versions of the drawing program in the files.
METADATA: dict[str, dict[str, str | None]] = {
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
    "png": {"Software": None},
}


class Drawing(NamedTuple):
    """A figure to be drawn, and the data that it shows."""

    data: pd.DataFrame
    draw: Callable[[], Figure]


def save_figure(draw: Callable[[], Figure], data: pd.DataFrame, outputs: Iterable[str]) -> None:
    """Draw once and save to each output, files of one name; CSV is the data that the figure shows.

    Other formats of that name, from an earlier call, would show earlier values, and are removed.
    """
    paths = list(map(Path, outputs))
    for earlier in {paths[0].with_suffix(f".{kind}") for kind in METADATA} - {*paths}:
        earlier.unlink(missing_ok=True)
    with style.applied():
        figure = draw()
        _lay_out(figure)
        for path in paths:
            save(figure, data, path)


def save(figure: Figure, data: pd.DataFrame, path: Path) -> None:
    """Save in the format that the file's ending names; CSV is the data that the figure shows."""
    if path.suffix == ".csv":
        data.to_csv(path, index=False)
    else:
        kind = path.suffix[1:]
        titled = {"Title": figure.get_label()} if kind == "svg" else {}
        figure.savefig(path, dpi=DOTS_PER_INCH, metadata={**METADATA[kind], **titled})


def _lay_out(figure: Figure) -> None:
    """Lay a figure out for all formats: it takes longer than to draw one of them."""
    if figure.axes and (layout := figure.get_layout_engine()):
        layout.execute(figure)
        figure.set_layout_engine(None)
