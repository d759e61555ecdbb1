"""Single runs on the page: status, disturbances, step times, telemetry, log."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from trainmark.analyse.run.hardware import GIBIBYTE
from trainmark.runs import records
from trainmark.runs.events import PREFIX

MOST_RUNS, MOST_DRAWN = 10, 2_000  # with curves: of a configuration, and of all
POINTS = 10_000  # of one curve of all runs together, so that the page stays small
FEWEST_POINTS, MOST_POINTS = 20, 150  # of one curve of one run
LOG_LINES, LINE_CHARACTERS = 8, 240
OF_GPUS = {
    "power_watts": ("power (W)", 1),
    "memory_bytes": ("memory (GiB)", GIBIBYTE),
    "utilisation_percent": ("utilisation (%)", 1),
    "sm_megahertz": ("clock (MHz)", 1),
}
"""Telemetry of a GPU: a field of GpuSample, its title with the unit, and what divides it."""


class Run(NamedTuple):
    """A run: its record, and the path of its run.json; None of one that an archive holds."""

    record: Mapping[str, Any]
    path: Path | None = None

    def log(self) -> list[str]:
        """The last lines that a framework printed, each cut where it is very long."""
        return _last_lines(self.path.with_name("worker.log")) if self.path else []

    def curves(self, points: int) -> list[dict[str, Any]]:
        """Its curves, each of at most so many points; none where it has no window."""
        window = self.record.get("window")
        if not window or not self.path:
            return []
        telemetry = self.path.with_name("telemetry.csv")
        if not telemetry.exists():
            return []
        return list(_curves(pd.read_csv(telemetry), float(window["start_seconds"]), points))


def measured(of_runs: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Those of some records whose runs have values: their status is ok."""
    return [record for record in of_runs if record["status"] == "ok"]


def read(path: Path) -> Run:
    """The run of a run.json."""
    return Run(records.read(path), path)


def drawn_of_each(configurations: int) -> int:
    """The number of repeats whose curves are shown, for each of so many configurations."""
    return int(np.clip(MOST_DRAWN // max(1, configurations), 1, MOST_RUNS))


def points_each(runs: int) -> int:
    """The largest number of points in a curve, if curves of this many runs are drawn."""
    return int(np.clip(POINTS / max(1, runs), FEWEST_POINTS, MOST_POINTS))


def _last_lines(log: Path) -> list[str]:
    if not log.exists():
        return []
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    printed = [
        line for line in lines if PREFIX not in line
    ]  # without our events, which all runs have
    last = printed[-LOG_LINES:]
    return [line[:LINE_CHARACTERS] + " …" * (len(line) > LINE_CHARACTERS) for line in last]


def _curves(telemetry: pd.DataFrame, start: float, points: int) -> Iterator[dict[str, Any]]:
    """Processor, memory and GPUs over seconds since the window's start, means of equal spans."""
    for title, values in _series(telemetry).items():
        seconds = (telemetry["time_seconds"] - start).to_numpy()[1:]
        spans = np.array_split(np.arange(len(seconds)), max(1, min(points, len(seconds))))
        for span in spans:
            value = float(np.nanmean(values[span])) if not np.isnan(values[span]).all() else None
            if value is not None:
                yield {"curve": title, "x": round(float(seconds[span[-1]]), 2), "y": _short(value)}


def _series(telemetry: pd.DataFrame) -> dict[str, np.ndarray]:
    """Each curve's values between one sample and the next, float64 (samples - 1,), by its title."""
    steps = telemetry.diff().iloc[1:]
    own_seconds = steps["own_cpu_seconds"] + steps["launcher_cpu_seconds"]
    series = {
        "own cores": steps["own_cpu_seconds"] / steps["time_seconds"],
        "others' cores": (steps["cpu_busy_seconds"] - own_seconds).clip(0) / steps["time_seconds"],
        "memory (GiB)": telemetry["own_memory_bytes"].iloc[1:] / GIBIBYTE,
    }
    for column in telemetry.columns:
        gpu, _, field = column.partition("_")
        if gpu.startswith("gpu") and field in OF_GPUS:
            title, unit = OF_GPUS[field]
            series[f"{gpu} {title}"] = telemetry[column].iloc[1:] / unit
    return {title: values.to_numpy(dtype=float) for title, values in series.items()}


def _short(value: float) -> float:
    return float(f"{value:.4g}")
