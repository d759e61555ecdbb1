"""GTDLBench (2019): its six charts, its settings, and the speeds that follow from its seconds."""

from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from trainmark.analyse.compare.configurations import configurations
from trainmark.analyse.published import values as published_values
from trainmark.analyse.published.gtdlbench import MACHINE, ORIGIN, STUDY
from trainmark.report.charts import grouped
from trainmark.report.draw.saving import Drawing
from trainmark.report.words import cells
from trainmark.report.words.writers import Table

TITLE = "GTDLBench (2019)"
SETS = ("e5-1620", "gtx-1080-ti")
PLACE = ["dataset", "network", "framework"]
METRICS = ["training_time", "testing_time", "accuracy_top1"]
SETTINGS = ["batch_size", "steps", "epochs", "algorithm", "learning_rate", "schedule", "momentum"]
SETTINGS += ["weight_decay", "also"]
NETWORKS = ["input", "parameters", "multiply_adds", "layers"]
TIMES = ["test_batch", "testing_time", "training_time"]
NOTE = f"As published by {ORIGIN}, on {MACHINE}. The number of runs wasn't published."
UNEQUAL = (
    "Each framework trains its own default network on its own number of images: the work isn't "
    "equal. What the times include differs, too (table times)."
)
TORCH = (
    "Torch is Torch7, which no package registry carries: in trainmark's studies PyTorch stands for "
    "it, with its settings. t: steps before this one. Epochs: steps x batch size / images."
)
SCRIPTS = (
    f"As published in the scripts of {ORIGIN}. Theano's of CIFAR-10 is missing there: "
    "benanne/theano-tutorial, from which it derives, stands for it."
)
COUNTED = (
    "Derived from the layers, not published: parameters, multiply-adds of a forward pass. Torch on "
    "CIFAR10: as on GPUs; its CPU script's random connections have 846,890 and 3,694,080. max 3/2: "
    "kernel 3, stride 2; partial: windows may end beyond the edge."
)
DERIVED = (
    "Derived, not published: images = steps x batch size (table settings), images/s = images / "
    "seconds of training, speed-up = seconds on the CPU / seconds on the GPU."
)


class Published(NamedTuple):
    """A row for each framework's setting of a data set, for its network, and for each value."""

    settings: pd.DataFrame
    networks: pd.DataFrame
    measurements: pd.DataFrame


def read(folder: Path) -> Published:
    """Read settings.csv and values.csv, whose other numbers stay as written, and networks.csv."""
    written = pd.read_csv(folder / "settings.csv", dtype=str, keep_default_na=False)
    settings = written.astype({"batch_size": int, "steps": int, "epochs": float})
    measurements = published_values.measurements(folder / "values.csv", settings, STUDY, MACHINE)
    return Published(settings, pd.read_csv(folder / "networks.csv"), measurements)


def tables(published: Published) -> dict[str, Table]:
    """Tables of settings, networks, what times include, values, and what follows from them."""
    settings, networks, measurements = published
    return {
        "settings": _facts("Default settings", settings, SETTINGS, [TORCH, SCRIPTS]),
        "networks": _facts("Default networks", networks, NETWORKS, [COUNTED, SCRIPTS]),
        "times": _facts("What the times include", settings, TIMES, [SCRIPTS]),
        "values": _values(measurements),
        "derived": _derived(settings, measurements),
    }


def figures(published: Published) -> dict[str, Drawing]:
    """The charts of its site: three for each data set."""
    return {
        f"{dataset}-{metric}".lower(): _chart(rows, metric)
        for dataset, rows in published.measurements.groupby("dataset", sort=False)
        for metric in METRICS
    }


def _facts(title: str, rows: pd.DataFrame, names: list[str], notes: list[str]) -> Table:
    """A row per setting with some of its facts."""
    facts = rows[["dataset", "framework", *names]]
    shown = facts.map(_text).rename(columns=lambda name: name.replace("_", " "))
    return Table(title, facts.assign(source=rows["source"]), shown, "dataset", notes)


def _values(measurements: pd.DataFrame) -> Table:
    """All that was published, a row per framework and device."""
    texts = _marked(measurements.assign(value=measurements["value"].map("{:,.2f}".format)))
    wide = _wide(texts, [*PLACE, "device"], ["metric"])[METRICS].rename(columns=cells.heading)
    shown = wide.rename_axis(columns=None).reset_index().drop(columns="network")
    return Table("Values", measurements, shown, "dataset", _notes(measurements))


def _derived(settings: pd.DataFrame, measurements: pd.DataFrame) -> Table:
    """Images per second and speed-ups, with what they take for granted."""
    seconds = _wide(measurements, PLACE, ["metric", "device"])
    training, testing = seconds["training_time"], seconds["testing_time"]
    setting = settings.set_index(PLACE)
    images = setting["steps"] * setting["batch_size"]
    derived = {
        "images": images,
        "images/s, cpu": images / training["cpu"],
        "images/s, gpu": images / training["gpu"],
        "speed-up, training": training["cpu"] / training["gpu"],
        "speed-up, testing": testing["cpu"] / testing["gpu"],
        "reason": measurements.groupby(PLACE)["reason"].first(),
        "if": setting["assumed"],
    }
    numbers = pd.DataFrame(derived).reindex(seconds.index).reset_index()
    shown = _marked(numbers).drop(columns=["network", "reason"]).map(_text)
    return Table("Derived speeds", numbers, shown, "dataset", [DERIVED, *_notes(measurements)])


def _wide(measurements: pd.DataFrame, rows: list[str], columns: list[str]) -> pd.DataFrame:
    """The values side by side, all in the order of the measurements."""
    order = pd.MultiIndex.from_frame(measurements[rows].drop_duplicates())
    return measurements.pivot(index=rows, columns=columns, values="value").loc[order]


def _text(fact: Any) -> str:
    return (fact or cells.NOTHING) if isinstance(fact, str) else cells.formatted("{:,.2f}", fact)


def _marked(rows: pd.DataFrame) -> pd.DataFrame:
    """Mark the frameworks whose CPU and GPU aren't comparable, for which there is a reason."""
    marks = rows["reason"].notna().map({True: " †", False: ""})
    return rows.assign(framework=rows["framework"] + marks)


def _notes(measurements: pd.DataFrame) -> list[str]:
    """The meaning of the mark and the origin of the values."""
    datasets = measurements.groupby(["framework", "reason"], sort=False)["dataset"].unique()
    rows = datasets.map(" and ".join).reset_index().to_numpy()
    texts = [f"{framework} on {sets} ({why})" for framework, why, sets in rows]
    return [f"†: CPU and GPU aren't comparable: {'; '.join(texts)}.", UNEQUAL, NOTE]


def _chart(measurements: pd.DataFrame, metric: str) -> Drawing:
    """One metric of one data set."""
    data = configurations(measurements, metric).drop(columns="run_1")  # of how many isn't known
    data.insert(0, "title", data["framework"])
    title = f"{data['dataset'].iloc[0]}: {cells.heading(metric)}"
    note, logarithmic = "\n".join(_notes(measurements)), metric != "accuracy_top1"
    return Drawing(data, partial(grouped.draw, data, metric, title, note, logarithmic))
