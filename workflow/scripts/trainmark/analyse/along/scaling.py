"""Speed-ups between the devices of a study: CPU to GPU, and fewer to more devices and nodes."""

from collections.abc import Iterator
from itertools import product
from typing import Any

import pandas as pd

from trainmark.analyse.compare.configurations import main_values
from trainmark.analyse.compare.pairs import advantage
from trainmark.study.axes import ALL_BUT_FRAMEWORK
from worker.devices import parts, shape

CPU = "cpu"
COLUMNS = [
    *ALL_BUT_FRAMEWORK,
    "framework",
    "adapter",
    "machine",
    "metric",
    "base",
    "speedup",
    "low",
    "high",
    "efficiency",
    "disturbed",
]
OF_CURVES = ["path", "scaling", "times"]
STRONG, WEAK = "strong scaling", "weak scaling"


def speedups(measurements: pd.DataFrame) -> pd.DataFrame:
    """One row per framework, case and two devices of which the second should be the faster.

    These are the CPU and any other single device, and fewer and more of one kind. Columns: those of
    a point (`device` is the second one), framework, adapter, machine, metric (the main one), base
    (the first device), speedup (how many times better), low and high (its 95 % interval),
    efficiency (speed-up over that of the number of devices, in percent; None from the CPU) and
    disturbed (runs).
    """
    rows = [row for group in _alike(measurements) for row in _speedups(group)]
    return pd.DataFrame(rows, columns=COLUMNS)


def curves(measurements: pd.DataFrame) -> pd.DataFrame:
    """One row per point of a curve: how many times better a framework is on more devices.

    A curve is over the devices of one node, or over nodes with equal numbers of devices. Its base
    is the point with the fewest devices. Columns: those of speedups(), path (which of the two
    kinds of curve), scaling (whether devices share the batch) and times (the number of devices,
    divided by the base's).
    """
    rows = [row for group in _alike(measurements) for row in _points(group)]
    return pd.DataFrame(rows, columns=[*COLUMNS, *OF_CURVES])


def _points(group: list[pd.Series]) -> Iterator[dict[str, Any]]:
    for name, path in _paths(group).items():
        batches = {row["batch_size"] for row in path}
        base = path[0]
        for row in path:
            more = _count(row) / _count(base)
            of_curve = {
                "path": name,
                "scaling": WEAK if len(batches) > 1 else STRONG,
                "times": more,
            }
            point = {**_speedup(base, row), **of_curve}
            yield point if row is not base else {**point, "low": None, "high": None}


def _paths(group: list[pd.Series]) -> dict[str, list[pd.Series]]:
    """The paths from fewer to more devices of a kind, each in ascending order."""
    paths: dict[str, list[pd.Series]] = {}
    for row in sorted(group, key=_count):
        kind, nodes, per_node = shape(row["device"])
        if nodes == 1:
            paths.setdefault(f"{kind} of one node", []).append(row)
        paths.setdefault(f"nodes of {kind}:{per_node}", []).append(row)
    return {name: path for name, path in paths.items() if len(path) > 1}


def _alike(measurements: pd.DataFrame) -> Iterator[list[pd.Series]]:
    """Groups of configurations with values that differ only in the device."""
    table = main_values(measurements)
    batches = _pairing_batches(table)
    alike = [
        name for name in (*ALL_BUT_FRAMEWORK, "framework") if name not in ("device", "batch_size")
    ]
    for _, group in table.groupby(alike, sort=False):
        has_several = not group["device"].is_unique  # also by those without a value
        valued = group[group["n"] > 0]
        batch = batches[valued.index] if has_several else pd.Series(0, index=valued.index)
        for _, rows in valued.groupby(batch, sort=False):
            yield [row for _, row in rows.iterrows()]


def _pairing_batches(table: pd.DataFrame) -> pd.Series:
    """The batch size by which configurations on different devices are paired.

    It is the whole batch or, in weak scaling, where batches grow with the devices, one device's
    part.
    """
    batches = table.groupby(["case", "device"])["batch_size"].agg(frozenset)
    is_weak = table["case"].map(batches.groupby(level="case").nunique() > 1)
    counts = table["device"].map(lambda device: parts(device)[1])
    return table["batch_size"].where(~is_weak, table["batch_size"] // counts)


def _count(row: pd.Series) -> int:
    """The number of devices of a configuration."""
    return parts(row["device"])[1]


def _speedups(configurations: list[pd.Series]) -> Iterator[dict[str, Any]]:
    for base, more in product(configurations, configurations):
        (base_kind, base_count), (kind, count) = parts(base["device"]), parts(more["device"])
        from_cpu = base_kind == CPU and kind != CPU and count == 1
        if from_cpu or (base_kind == kind and base_count < count):
            yield _speedup(base, more)


def _speedup(base: pd.Series, more: pd.Series) -> dict[str, Any]:
    speeds = advantage(more, base)
    (base_kind, base_count), (kind, count) = parts(base["device"]), parts(more["device"])
    return {
        **{name: more[name] for name in COLUMNS if name in more},
        "base": base["device"],
        "speedup": speeds.ratio,
        "low": speeds.low,
        "high": speeds.high,
        "efficiency": 100 * speeds.ratio * base_count / count if base_kind == kind else None,
        "disturbed": base["disturbed"] + more["disturbed"],
    }
