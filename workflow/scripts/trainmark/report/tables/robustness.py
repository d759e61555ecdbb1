"""Robustness: how often each attack fools a trained network in each framework, and how far off."""

from typing import Any

import numpy as np
import pandas as pd

from trainmark.analyse.trained.attacks import success
from trainmark.report.words import cells, layout
from trainmark.study.stages import ATTACK

TITLE = "Robustness"
BLOCK = "case"
SOURCE = "attacks"
SETTING = "attacks"
COLUMNS = {
    "epsilon": ("epsilon", "{:.3g}"),
    "share": ("fooled %", "{:.2f}"),
    "l2_mean": ("L2", "{:.3f}"),
    "linf_mean": ("Linf", "{:.3f}"),
    "predictions": ("predictions", "{:,.1f}"),
    "gradients": ("gradients", "{:,.1f}"),
    "seconds": ("s", "{:,.1f}"),
}
"""The columns of an attack, their short names and formats."""
NOTE = (
    "Each framework is attacked by its own gradients, all with the same weights: those of the "
    "framework that trained (the case's trained_by). fooled: of the images recognised before, "
    "with Wilson's 95 % interval for a sample of so many images; L2, Linf: mean distances of those "
    "that fooled, pixels from 0 to 1, as epsilon is; predictions, gradients: asked of an image, on "
    "average; s: of the attack on all images. Means over the runs, which attack the same images."
)


def make(attacks: pd.DataFrame) -> pd.DataFrame:
    """One row per configuration of stage attack, attack and epsilon."""
    table = success(attacks, ATTACK)
    for name in ("predictions", "gradients"):
        table[name] = table[name] / table["count"]
    cases, kinds = (pd.factorize(table[name])[0] for name in ("case", "attack"))
    kinds[kinds < 0] = len(table)  # failures, behind all others
    order = np.lexsort([table["epsilon"].to_numpy(dtype=float), kinds, cases])
    return table.iloc[order].reset_index(drop=True)


def show(table: pd.DataFrame) -> pd.DataFrame:
    """The table for reading, the frameworks of each attack together."""
    epsilon, share, *others = (title for title, _ in COLUMNS.values())
    columns = ["case", "attack", epsilon, "framework", share, "interval", *others, "status"]
    return layout.for_reading(table, columns, _shown, 4)


def notes(table: pd.DataFrame) -> list[str]:
    """Notes on the numbers, and where they were measured."""
    return cells.notes(table, NOTE)


def _shown(row: Any) -> list[str]:
    epsilon, share, *others = (
        cells.formatted(form, getattr(row, name)) for name, (_, form) in COLUMNS.items()
    )
    interval = cells.NOTHING if pd.isna(row.low) else f"{row.low:.1f} to {row.high:.1f}"
    framework = cells.framework_title(row.framework, row.adapter)
    attack = cells.NOTHING if pd.isna(row.title) else row.title
    return [row.case, attack, epsilon, framework, share, interval, *others, cells.status(row)]
