"""Achieved arithmetic, and its share of the best that the study reaches on the machine."""

from typing import Any

import pandas as pd

from trainmark.analyse.along.roofline import INTENSITY, OPERATIONS, ROOF, roofline, roofs
from trainmark.report.words import cells

TITLE = "Arithmetic"
BLOCK = "case"
METRIC = "achieved_gflops"
NOTE = (
    f"{OPERATIONS} share: of the best configuration of the same machine, device and precision, in "
    f"any framework and case. {INTENSITY}"
)

make = roofline


def show(table: pd.DataFrame) -> pd.DataFrame:
    """The table for reading."""
    columns = ["case", "framework", "GFLOP/s", "share %", "FLOP/byte", "status"]
    shown = pd.DataFrame([_shown(row) for row in table.itertuples()], columns=columns)
    whole = cells.with_settings(shown, table, 2)
    return cells.gaps_together(whole, table["n"] > 0, ("stage", "precision"))


def notes(table: pd.DataFrame) -> list[str]:
    """Notes on the numbers and the best of them, and where they were measured."""
    best = table.dropna(subset="best").drop_duplicates(ROOF)
    texts = [
        f"{roof}: {cells.number(METRIC, row.best)} ({row.best_framework}, {row.best_case})"
        for roof, row in zip(roofs(best), best.itertuples(), strict=True)
    ]
    bests = [f"The best in GFLOP/s: {'; '.join(texts)}."] if texts else []
    return cells.notes(table, NOTE, *bests, cells.INTERVAL)


def _shown(row: Any) -> list[str]:
    title = cells.framework_title(row.framework, row.adapter)
    value = cells.number(METRIC, row.mean, row.half_width)
    share = cells.NOTHING if pd.isna(row.share) else f"{row.share:.0f}"
    intensity = cells.number("arithmetic_intensity", row.intensity)
    return [row.case, title, value, share, intensity, cells.status(row)]
