"""GTDLBench's published values beside ours of the same default settings.

Each setting is identified by its network: each framework and data set has another one.
"""

from pathlib import Path
from typing import Any

import pandas as pd

from trainmark.analyse.published.default_settings import of_settings
from trainmark.analyse.published.result_sets import AS_PUBLISHED, GPU, Machine, Published
from trainmark.study import datasets, plugins
from worker import devices

STUDY = "gtdlbench-2019"
ORIGIN = "GTDLBench (f1c5c4d)"
"""The study, and the commit of its repository that has the values."""
MACHINE = "Intel E5-1620 (4 cores), GTX 1080 Ti"
MACHINES = {"e5-1620": Machine("Intel E5-1620", {}), "gtx-1080-ti": Machine("GTX 1080 Ti", {})}
SOURCE = f"{AS_PUBLISHED} {ORIGIN}; the number of runs isn't known; no parity, no telemetry"
FOLDER = plugins.SCRIPTS.parents[1] / "resources" / "published" / "gtdlbench"
DEVICES = {"cpu": "cpu", **{f"{kind}:1": "gpu" for kind in devices.GPUS}}
"""The study's names of its devices."""
OF_ALL_IMAGES = ("training_time", "accuracy_top1")
"""The metrics that depend on the length of the training."""
KEYS = ["dataset", "network"]
"""The columns that tell settings apart."""
DERIVED = "derived: images / seconds of training"


def published(folder: Path) -> Published:
    """Read its values, and the speeds that follow from its times, as two result sets."""
    names = pd.read_csv(folder / "names.csv")
    table = _with_speeds(folder).merge(names, on=KEYS, validate="m:1")
    on_cpu = table["device"] == "cpu"
    cpu, gpu = MACHINES
    values = table.assign(
        set=pd.Series(cpu, table.index).where(on_cpu, gpu),
        case=(table["dataset"] + "-" + table["framework"]).str.lower(),
        dataset=table["our_dataset"],
        framework=table["framework"].str.lower(),
        device=table["device"].where(on_cpu, f"{GPU}:1"),
    )
    return Published(STUDY, SOURCE, MACHINES, values)


def settings() -> pd.DataFrame:
    """One row per setting, by its network: owner, home and images.

    owner is its framework, home its data set, as ours are named.
    """
    table = pd.read_csv(FOLDER / "settings.csv").set_index("network")
    images = table["steps"] * table["batch_size"]
    return pd.DataFrame(
        {"owner": table["framework"], "home": table["dataset"].str.lower(), "images": images}
    )


def values() -> pd.DataFrame:
    """One row per published value: network, metric, on (cpu or gpu), published and beside.

    The training speeds among them are derived from the times. `beside` is what a reader must know.
    """
    names = {"device": "on", "value": "published", "remark": "beside"}
    return _with_speeds(FOLDER)[["network", "metric", *names]].rename(columns=names)


def _with_speeds(folder: Path) -> pd.DataFrame:
    """Its values with batch size and steps, and the training speeds that follow from its times."""
    configured = pd.read_csv(folder / "settings.csv")[[*KEYS, "batch_size", "steps"]]
    table = pd.read_csv(folder / "values.csv").merge(configured, on=KEYS, validate="m:1")
    times = table[table["metric"] == "training_time"]
    speeds = times.assign(
        metric="training_speed",
        value=times["steps"] * times["batch_size"] / times["value"],
        remark=DERIVED + times["remark"].map("; {}".format, na_action="ignore").fillna(""),
    )
    return pd.concat([table, speeds], ignore_index=True)


def with_homes(table: pd.DataFrame) -> pd.DataFrame:
    """The rows of `of_settings` with the home of each setting, None where there is none."""
    return table.merge(settings()[["home"]], how="left", left_on="network", right_index=True)


def beside_published(measurements: pd.DataFrame, metric: str) -> pd.DataFrame:
    """One row per framework's own default, with one metric of ours and the published.

    A setting that is carried to another data set is left out, one on generated images is not.
    Columns: those of `of_settings`; owner and home, the framework and the data set that it was
    published of; published; ratio (ours / published) and, where there is none, why_none; beside.
    """
    table = of_settings(measurements, metric)
    if table.empty:
        return table
    defaults = table[table["is_own"]]
    images = of_settings(measurements, "images_trained")["mean"].reindex(defaults.index)
    facts = settings().rename(columns={"images": "configured_images"})
    rows = (
        defaults.assign(on=defaults["device"].map(DEVICES), images=images)
        .merge(facts, how="left", left_on="network", right_index=True)
        .merge(values(), how="left", on=["network", "metric", "on"])
    )
    images_of = rows["dataset"].str.removeprefix(f"{datasets.SYNTHETIC}-")
    rows = rows[rows["home"].isna() | (images_of == rows["home"])].reset_index(drop=True)
    elsewhere = rows["dataset"] != rows["home"]
    rows.loc[elsewhere, ["published", "beside"]] = None
    reasons = pd.Series([_why_none(row) for row in rows.itertuples()], dtype=object)
    ratio = (rows["mean"] / rows["published"]).where(reasons.isna())
    return rows.assign(ratio=ratio, why_none=reasons)


def _why_none(row: Any) -> str | None:
    """Why ours can't be compared with a published value, or None."""
    if pd.isna(row.owner):
        return "GTDLBench has no such setting"
    if row.dataset != row.home:
        return f"published on {row.home} alone"
    if pd.isna(row.on):
        return f"published on the CPU and one GPU, not on {row.device}"
    if pd.isna(row.published):
        return "not published"
    if not row.n:
        return str(row.remark)
    if row.metric in OF_ALL_IMAGES and row.images != row.configured_images:
        return f"after {row.images:,.0f} images, not {row.configured_images:,.0f}"
    return None
