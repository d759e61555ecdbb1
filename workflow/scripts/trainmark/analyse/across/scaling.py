"""Speed-ups between the devices of a study: CPU to GPU, and fewer to more GPUs."""

from collections.abc import Iterator
from itertools import product
from typing import Any

import pandas as pd

from trainmark.analyse.across.configurations import main_values
from trainmark.analyse.across.pairs import advantage
from trainmark.study.axes import POINT
from worker.devices import parts

CPU = "cpu"
COLUMNS = [
    *POINT,
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


def speedups(measurements: pd.DataFrame) -> pd.DataFrame:
    """One row per framework, case and two devices of which the second should be the faster.

    These are the CPU and any other single device, and fewer and more of one kind. Columns: those of
    a point (`device` is the second one), framework, adapter, machine, metric (the main one), base
    (the first device), speedup (how many times better), low and high (its 95 % interval),
    efficiency (speed-up over that of the number of devices, in percent; None from the CPU) and
    disturbed (runs).
    """
    table = main_values(measurements)
    valued = table[table["n"] > 0]
    alike = [name for name in (*POINT, "framework") if name not in ("device", "batch_size")]
    rows = [
        row
        for _, group in valued.groupby(alike, sort=False)
        for row in _speedups([row for _, row in group.iterrows()])
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


def _speedups(configurations: list[pd.Series]) -> Iterator[dict[str, Any]]:
    for base, more in product(configurations, configurations):
        (base_kind, base_count), (kind, count) = parts(base["device"]), parts(more["device"])
        from_cpu = base_kind == CPU and kind != CPU and count == 1
        if from_cpu or (base_kind == kind and base_count < count):
            found = advantage(more, base)
            share = None if from_cpu else 100 * found.value * base_count / count
            yield {
                **{name: more[name] for name in COLUMNS if name in more},
                "base": base["device"],
                "speedup": found.value,
                "low": found.low,
                "high": found.high,
                "efficiency": share,
                "disturbed": base["disturbed"] + more["disturbed"],
            }
