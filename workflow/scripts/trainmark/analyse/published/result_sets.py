"""Published values as result sets in this project's names: one per published machine and software.

`combine` and `compare` take such a set like any other, and `beside_published` puts it beside ours.
"""

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import pandas as pd

from trainmark.analyse.csv.measurements import COLUMNS
from trainmark.analyse.published.values import of_one_run
from trainmark.study import axes, datasets, plugins
from trainmark.study.arithmetic import depth, least_share, multiply_adds
from worker import devices

NOT_PUBLISHED = "not published"
AS_PUBLISHED = "as published by"
"""The beginning of the remark on published values."""
GPU = "cuda"
"""The kind of all published GPUs in names of devices."""
SPEEDS = ("training_speed", "inference_speed", "gradient_speed")
"""The metrics in images/s, which arithmetic per second follows from."""
SAME_NETWORK = ["case", "framework"]
"""Published rows that agree in these columns are of one network, whatever the machine."""


class Machine(NamedTuple):
    """A published machine: its hardware, and the peak of one of its devices by precision.

    Peaks are in GFLOP/s; a precision without a known one isn't in `peaks`.
    """

    hardware: str
    peaks: Mapping[str, float]


class Published(NamedTuple):
    """The values of a published study.

    Attributes:
        study: its name in measurements.
        source: who published the values, and what isn't known of them.
        machines: its machines by the names of their result sets.
        values: one row per value: set (a name in `machines`), case, dataset, network, framework,
            device, batch_size, metric, value and remark, and axes that differ from their defaults;
            image_size, where images aren't of the data set's own.

    """

    study: str
    source: str
    machines: Mapping[str, Machine]
    values: pd.DataFrame


def measurements(published: Published) -> pd.DataFrame:
    """All values as measurements, with the columns COLUMNS, remark and share_of_peak.

    The name of a machine (`machine_name`) is that of its result set.
    To each speed belongs the arithmetic per second, if the network were the one of that name here.
    share_of_peak is the share of the machine's peak that this needs at least; above 1 the network
    was another one. It is NaN where no peak is known.
    A configuration without any value in a set is `unavailable`.
    """
    both = pd.concat([published.values, _arithmetic(published)], ignore_index=True)
    keys = ["set", "case", "framework", "device", *(name for name in axes.NAMES if name in both)]
    missing = both.groupby(list(dict.fromkeys(keys)))["value"].transform("count") == 0
    nothing = pd.Series(None, both.index, dtype=object)
    return of_one_run(
        both,
        missing,
        machine_name=both["set"],
        study=published.study,
        adapter=both["framework"],
        reason=published.source,
        machine=[
            _hardware(published.machines[name], device)
            for name, device in zip(both["set"], both["device"], strict=True)
        ],
        unit=[plugins.facts("metric", metric)["UNIT"] for metric in both["metric"]],
        absent=nothing.mask(both["value"].isna(), NOT_PUBLISHED),
    )[[*COLUMNS, "remark", "share_of_peak"]]


def result_set(published: Published, name: str) -> pd.DataFrame:
    """The measurements of one of its machines, which is the only one in it, so without a name.

    A value's remark is part of its reason. What is of another network than ours is `unavailable`,
    so that nothing is compared with it.
    """
    table = measurements(published)
    differs = table[SAME_NETWORK].merge(other_networks(table), how="left", on=SAME_NETWORK)["why"]
    remarks = table["remark"].map("; {}".format, na_action="ignore").fillna("")
    comparable = table.assign(
        machine_name=axes.DEFAULTS["machine_name"],
        status=table["status"].mask(differs.notna(), "unavailable"),
        reason=table["reason"] + remarks,
        value=table["value"].mask(differs.notna()),
        absent=table["absent"].mask(differs.notna(), differs),
    )
    return comparable.loc[table["machine_name"] == name, list(COLUMNS)]


def other_networks(table: pd.DataFrame) -> pd.DataFrame:
    """The case and framework of published values that can't be of our network, and `why` not.

    A framework that is faster than a machine can be with our network has another one in that case,
    on each machine. Takes `measurements`.
    """
    arithmetic = table[table["metric"] == "achieved_gflops"].dropna(subset="value")
    ordered = arithmetic.sort_values("share_of_peak", na_position="first")
    worst = ordered.groupby(SAME_NETWORK).tail(1)
    reasons = [
        f"another network: {row.value:,.0f} GFLOP/s with ours on the {row.machine}, "
        f"{row.share_of_peak:.1f} times what it can do at most"
        for row in worst.itertuples()
    ]
    impossible = worst.assign(why=reasons).loc[worst["share_of_peak"] > 1]
    return impossible[[*SAME_NETWORK, "why"]]


def _arithmetic(published: Published) -> pd.DataFrame:
    """A row of achieved GFLOP/s for each speed, and one of its network's depth."""
    speeds = published.values[published.values["metric"].isin(SPEEDS)]
    settings = [_settings(row) for row in speeds.to_dict("records")]
    achieved = speeds["value"] * [2 * multiply_adds(each) / 1e9 for each in settings]
    peaks = [_peak(published.machines[each["set"]], each) for each in settings]
    needed = achieved * [least_share(each) for each in settings]
    depths = speeds.assign(metric="network_depth", value=[depth(each) for each in settings])
    gflops = speeds.assign(metric="achieved_gflops", value=achieved, share_of_peak=needed / peaks)
    return pd.concat([gflops, depths], ignore_index=True)


def _peak(machine: Machine, settings: Mapping[str, Any]) -> float:
    """The peak of the devices that a value was measured on, NaN where it isn't known."""
    _, count = devices.parts(settings["device"])
    return count * machine.peaks.get(settings["precision"], math.nan)


def _settings(row: Mapping[Any, Any]) -> dict[str, Any]:
    """The settings by which the arithmetic of a value's network is known."""
    size = row.get("image_size")
    facts = datasets.facts(row["dataset"]).sized(None if pd.isna(size) else int(size))
    shape = {"image_shape": facts.image_shape, "classes": facts.classes}
    return {**axes.DEFAULTS, **row, **shape}


def _hardware(machine: Machine, device: str) -> str:
    _, count = devices.parts(device)
    return machine.hardware if count == 1 else f"{count} x {machine.hardware}"
