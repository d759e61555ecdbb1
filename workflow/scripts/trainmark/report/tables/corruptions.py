"""Corruptions: accuracy elsewhere, on images that are not like those trained on."""

from collections.abc import Callable
from typing import Any

import pandas as pd

from trainmark.analyse.trained.corruptions import of_configurations
from trainmark.report.words import cells
from trainmark.study import stages

TITLE = "Corruptions"
SOURCE = "corruptions"
SETTING = "corruptions"
BLOCK = "case"
NOTE = (
    "Each column is of the same images of the test split, as they are (original) or in a "
    "corruption. images: how many, the first ones (the case's corrupted_images). Points: the "
    "difference in top-1 from the framework that trained, and in brackets the probability of as "
    "large a one if both were equally good (McNemar's exact test of the mean numbers of images: "
    "repeats predict the same ones). Same class: images given the same class as by that framework."
)


def _change(row: Any) -> str:
    if pd.isna(row.change):
        return cells.NOTHING
    return f"{row.change:+.2f} ({cells.formatted('{:.2g}', row.p_value)})"


SHOWN: dict[str, Callable[[Any], str]] = {
    "top-1 %": lambda row: cells.formatted("{:.2f}", row.top1),
    "points beside the trainer (p)": _change,
    "same class %": lambda row: cells.formatted("{:.2f}", row.agreement),
}
"""The values of a configuration on some images, each in a block of its own."""


def make(corruptions: pd.DataFrame) -> pd.DataFrame:
    """One row per configuration that predicts with the weights of another run, and images."""
    trains = corruptions["stage"].map(stages.updates_weights).astype(bool)
    return of_configurations(corruptions[~trains])


def show(table: pd.DataFrame) -> pd.DataFrame:
    """For each case and quantity one row per configuration, one column per kind of images."""
    settings = cells.varying(table)
    kinds = list(table["corruption"].unique())
    titled = table.assign(
        framework=cells.framework_titles(table),
        images=[cells.formatted("{:,.0f}", count) for count in table["count"]],
        status=[cells.status(row) for row in table.itertuples()],
    )
    names = ["case", "framework", *settings, "images", "status"]
    rows = [
        {**dict(zip(names, key, strict=True)), "case": f"{key[0]}: {title}"}
        | dict(zip(rows["corruption"], map(text, rows.itertuples()), strict=True))
        for _, of_case in titled.groupby("case", sort=False)
        for title, text in SHOWN.items()
        for key, rows in of_case.groupby(names, sort=False)
    ]
    return pd.DataFrame(rows, columns=[*names[:-1], *kinds, "status"]).fillna(cells.NOTHING)


def notes(table: pd.DataFrame) -> list[str]:
    """Notes on the numbers, and where they were measured."""
    return cells.notes(table, NOTE)
