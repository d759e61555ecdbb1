"""Achieved arithmetic, and its share of the best that the study reaches on the machine."""

from typing import Any

import pandas as pd

from trainmark.analyse.along.roofline import INTENSITY, OPERATIONS, PEAK, ROOF, roofline, roofs
from trainmark.report.words import cells, layout

TITLE = "Arithmetic"
BLOCK = "case"
METRIC = "achieved_gflops"
NOTE = (
    f"{OPERATIONS} The best: in any framework and case, on the same machine and device in the same "
    f"precision. {INTENSITY}"
)
ABOVE = "above it"
"""In place of a share of the peak above 100 %."""
ABOVE_NOTE = (
    f"{ABOVE}: more than the peak, so no share of it. The library is faster than those that "
    "computed the peak, or needs fewer multiplications than are counted (Winograd's algorithm)."
)

make = roofline


def show(table: pd.DataFrame) -> pd.DataFrame:
    """The table for reading."""
    columns = ["case", "framework", "GFLOP/s", "% of best", "% of peak", "FLOP/byte", "status"]
    whole = layout.for_reading(table, columns, _shown, 2)
    return layout.merge_gaps(whole, table["n"] > 0, ("stage", "precision"))


def notes(table: pd.DataFrame) -> list[str]:
    """Notes on the numbers and the best of them, and where they were measured."""
    best = table.dropna(subset="best").drop_duplicates(ROOF)
    texts = [
        f"{roof}: {cells.number(METRIC, row.best)} ({row.best_framework}, {row.best_case})"
        for roof, row in zip(roofs(best), best.itertuples(), strict=True)
    ]
    bests = [f"The best in GFLOP/s: {'; '.join(texts)}."] if texts else []
    peaks = [f"{PEAK} {_peaks(table)}"] if table["peak"].notna().any() else []
    above = [ABOVE_NOTE] if table["is_above_peak"].any() else []
    return cells.notes(table, NOTE, *bests, *peaks, *above, cells.INTERVAL)


def _peaks(table: pd.DataFrame) -> str:
    """The peak of each machine, device, precision and number of threads."""
    columns = [*ROOF, "thread_count"]
    known = table.dropna(subset="peak").drop_duplicates(columns)
    texts = [
        f"{roof}, {cells.threads(row.thread_count)}: {cells.number(METRIC, row.peak)}"
        for roof, row in zip(roofs(known), known.itertuples(), strict=True)
    ]
    return f"In GFLOP/s: {'; '.join(texts)}."


def _shown(row: Any) -> list[str]:
    title = cells.framework_title(row.framework, row.adapter)
    value = cells.number(METRIC, row.mean, row.half_width)
    of_peak = ABOVE if row.is_above_peak else _percent(row.peak_share)
    intensity = cells.number("arithmetic_intensity", row.intensity)
    return [row.case, title, value, _percent(row.share), of_peak, intensity, cells.status(row)]


def _percent(share: float) -> str:
    return cells.NOTHING if pd.isna(share) else f"{share:.0f}"
