"""One iteration in milliseconds: a row for each framework and precision, a column for each stage.

The table that the GPU benchmark of Sako et al. 2018 has for each GPU.
"""

from collections.abc import Iterator

import pandas as pd

from trainmark.analyse.compare.configurations import configurations
from trainmark.report.words import cells, layout
from trainmark.study.axes import CONFIGURATION

TITLE = "One iteration"
BLOCK = "device"
METRIC = "latency_mean"
UPDATE = "update"
SHOWN_ELSEWHERE = ("device", "precision", "stage", "input_mode", "batch_size")
"""The settings that rows and columns tell, or that go with the stage."""
NOTE = "Mean milliseconds of an iteration, each waited for."
MEANINGS = {
    "infer": "forward",
    "gradients": "forward and backward, no update",
    "train": "forward, backward and update",
    UPDATE: "train less gradients",
}
"""The meaning of an iteration, stage by stage."""


def make(measurements: pd.DataFrame) -> pd.DataFrame:
    """One row per configuration, and one of stage `update` for each that trains as well."""
    statistics = ["n", "mean", "median", "standard_deviation", "half_width"]
    table = configurations(measurements, METRIC).astype(dict.fromkeys(statistics[1:], float))
    means = table[[*CONFIGURATION, "machine", "status", "remark", "disturbed", *statistics]]
    return pd.concat([means, *_updates(means)], ignore_index=True)


def _updates(table: pd.DataFrame) -> Iterator[pd.DataFrame]:
    """The time of an update, where both of the stages that it lies between have a value."""
    alike = [name for name in CONFIGURATION if name != "stage"]
    for _, rows in table[table["n"] > 0].groupby(alike, sort=False):
        ends = rows[rows["stage"].isin(["train", "gradients"])]
        if len(ends) == 2:
            means = ends.set_index("stage")["mean"]
            counts = {"n": int(ends["n"].min()), "disturbed": int(ends["disturbed"].sum())}
            none = dict.fromkeys(("median", "standard_deviation", "half_width"), float("nan"))
            row = ends[ends["stage"] == "train"].assign(stage=UPDATE, **counts, **none)
            yield row.assign(mean=means["train"] - means["gradients"])


def show(table: pd.DataFrame) -> pd.DataFrame:
    """A column for each case and stage, and for what `_columns` adds to these, in their order."""
    names = _columns(table)
    texts = [cells.value_or_status(row) for row in table.assign(metric=METRIC).itertuples()]
    named = table.assign(framework=cells.framework_titles(table), name=names, text=texts)
    settings = [name for name in cells.varying(table) if name not in SHOWN_ELSEWHERE]
    rows = ["device", *settings, "framework", "precision"]
    wide = named.pivot_table(index=rows, columns="name", values="text", aggfunc="first", sort=False)
    return layout.as_table(wide[names.unique()])


def notes(table: pd.DataFrame) -> list[str]:
    """Notes on the numbers, and where they were measured."""
    stages = set(table["stage"])
    meanings = [f"{stage}: {text}" for stage, text in MEANINGS.items() if stage in stages]
    interval = [cells.INTERVAL] * bool(table["half_width"].notna().any())
    return cells.notes(table, f"{NOTE} {'; '.join(meanings)}.", *interval)


def _columns(table: pd.DataFrame) -> pd.Series:
    """Case and stage, the batch where a case has several, and the input mode where a stage has."""
    batches = table.groupby("case")["batch_size"].transform("nunique") > 1
    modes = table.groupby(["case", "stage"])["input_mode"].transform("nunique") > 1
    names = table["case"].where(~batches, table["case"] + " b" + table["batch_size"].astype(str))
    names = names + " " + table["stage"]
    return names.where(~modes, names + " " + table["input_mode"])
