"""Single runs on the page: status, disturbances, step times, telemetry, log."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from trainmark.analyse.run import telemetry
from trainmark.analyse.run.hardware import GIBIBYTE
from trainmark.analyse.run.spans import of_spans
from trainmark.report.page.values import short
from trainmark.runs import records
from trainmark.runs.logs import last_lines

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
        path = self.path.with_name("telemetry.csv")
        if not path.exists():
            return []
        return list(_curves(telemetry.read(path), float(window["start_seconds"]), points))


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
    last = last_lines.readable(log.read_text(encoding="utf-8", errors="replace"), LOG_LINES)
    return [line[:LINE_CHARACTERS] + " …" * (len(line) > LINE_CHARACTERS) for line in last]


def _curves(
    sampled: Mapping[str, np.ndarray], start: float, points: int
) -> Iterator[dict[str, Any]]:
    """Processor, memory and GPUs over seconds since the window's start.

    Each point is the mean of a span; the spans are of nearly equal length.
    """
    seconds = sampled["time_seconds"][1:] - start
    if not len(seconds):
        return
    ends = of_spans(np.max, seconds, points)
    for title, values in _series(sampled).items():
        read_counts = of_spans(np.sum, ~np.isnan(values), points)
        sums = of_spans(np.nansum, values, points)
        for end, total, count in zip(ends, sums, read_counts, strict=True):
            if count:
                yield {"curve": title, "x": round(float(end), 2), "y": short(total / count)}


def _series(sampled: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Each curve's values between one sample and the next, float64 (samples - 1,), by its title."""
    names = ("time", "own_cpu", "launcher_cpu", "cpu_busy")
    elapsed, worker, launcher, machine = (np.diff(sampled[f"{name}_seconds"]) for name in names)
    with np.errstate(divide="ignore", invalid="ignore"):  # of samples at the same time
        run_cores = worker / elapsed
        other_cores = np.maximum(machine - worker - launcher, 0) / elapsed
    series = {
        "own cores": run_cores,
        "others' cores": other_cores,
        "memory (GiB)": sampled["own_memory_bytes"][1:] / GIBIBYTE,
    }
    for column, values in sampled.items():
        gpu, _, field = column.partition("_")
        if gpu.startswith("gpu") and field in OF_GPUS:
            title, unit = OF_GPUS[field]
            series[f"{gpu} {title}"] = values[1:] / unit
    return series
