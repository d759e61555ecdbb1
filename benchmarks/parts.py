"""How much a run's speed varies within its window, by the length of the window's parts.

usage: python benchmarks/parts.py RESULTS [--seconds 1 4 16]

RESULTS is a study's folder, results/<study>. Printed are, by run, the standard deviations of the
logarithms of the speeds of all parts of so many seconds, in %, and last those pooled over all runs.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import places  # noqa: F401, the path to trainmark

from trainmark.analyse.run.events import event_lines, events_by_folder
from trainmark.analyse.run.recording import Absent, read_run
from trainmark.analyse.run.steps import step_ends
from trainmark.runs.records import RECORD


def part_speeds(ends: Sequence[float], seconds: float) -> np.ndarray:
    """Steps per second of each whole part of a window: float64 (parts,)."""
    borders = np.arange(0.0, ends[-1], seconds)
    steps: np.ndarray = np.diff(np.interp(borders, [0.0, *ends], np.arange(len(ends) + 1)))
    return steps / seconds


def main() -> None:
    """Print a line per run whose steps were waited for, and one for all."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results", type=Path)
    parser.add_argument("--seconds", nargs="+", type=float, default=[1, 4, 16])
    arguments = parser.parse_args()
    folders = [record.parent for record in sorted(arguments.results.rglob(RECORD))]
    by_folder = events_by_folder(event_lines(folder / "worker.log" for folder in folders))
    variances = []
    for folder in folders:
        name = folder.relative_to(arguments.results)
        try:
            ends = step_ends(read_run(folder, by_folder.get(str(folder), {})))
        except Absent as reason:
            print(f"{name}: {reason}")
            continue
        speeds = [part_speeds(ends, seconds) for seconds in arguments.seconds]
        variances.append([np.log(each).var(ddof=1) if len(each) > 1 else np.nan for each in speeds])
        print(f"{name}: {shown(variances[-1])}")
    if not variances:
        sys.exit(f"{arguments.results} has no run whose steps are waited for")
    print(f"all: {shown(np.nanmean(variances, axis=0))}")


def shown(variances: Sequence[float] | np.ndarray) -> str:
    """The standard deviations in %."""
    return "  ".join(f"{100 * deviation:5.1f}" for deviation in np.sqrt(variances))


if __name__ == "__main__":
    main()
