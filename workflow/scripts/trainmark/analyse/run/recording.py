"""One run as metrics and checks see it: its record, its events, its telemetry in the window."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from trainmark.analyse.run import telemetry
from trainmark.errors import TrainmarkError
from trainmark.files import read_json
from trainmark.machine.telemetry import INTERVAL_SECONDS
from trainmark.runs import records

LONGEST_GAP_SECONDS = 1.0  # ten samples; a longer gap is too uncertain to interpolate
# In a shorter window, the interpolation at its two edges is too large a part.
SHORTEST_WINDOW_SECONDS = 10 * INTERVAL_SECONDS


Events = Mapping[str, Mapping[str, Any]]
"""Events of a run by their kinds, the last of each."""
Labels = Mapping[str, Any]
"""What a study says of a run that its worker doesn't see: attributes of Run by their names."""


class Absent(TrainmarkError):
    """A value that a run doesn't have, and why."""


@dataclass(frozen=True, eq=False)
class Run:
    """A run in memory. It equals only itself, so that results computed from it can be cached.

    Attributes:
        record: run.json.
        events: the last event of each kind.
        telemetry: the columns of telemetry.csv by their names, array-likes of numbers (samples,),
            NaN where one wasn't read; times on the worker's clock.
        dataset: dataset.json of the data set that the run read, or empty.
        loses_evaluation: whether its case requests evaluations that the study's bounds forbid.
        target_accuracy: its case requests the time to this accuracy, in percent, or None.
        default_of: the framework whose default settings its case has, or None.
        price: what its machine costs: `usd`, `usd_per_hour`, both or neither.
        folder: the folder of its files, or None for a run without files.

    """

    record: Mapping[str, Any]
    events: Events = field(default_factory=dict)
    telemetry: Mapping[str, npt.ArrayLike] = field(default_factory=dict)
    dataset: Mapping[str, Any] = field(default_factory=dict)
    loses_evaluation: bool = False
    target_accuracy: float | None = None
    default_of: str | None = None
    price: Mapping[str, float] = field(default_factory=dict)
    folder: Path | None = None

    @property
    def job(self) -> Mapping[str, Any]:
        """The resolved settings of the run."""
        job: Mapping[str, Any] = self.record["job"]
        return job

    def event(self, kind: str) -> Mapping[str, Any]:
        """Return the event of one kind; raises Absent where the worker never emitted it."""
        if kind not in self.events:
            raise Absent(f"the worker's log has no {kind} event")
        return self.events[kind]

    @property
    def window(self) -> tuple[float, float]:
        """Start and end of the timed window in seconds, both after a synchronisation."""
        return (
            float(self.event("window_start")["time_seconds"]),
            float(self.event("window_end")["time_seconds"]),
        )

    @property
    def window_seconds(self) -> float:
        """The window's length."""
        start, end = self.window
        if end <= start:
            raise Absent("the window has no length")
        return end - start

    def check_sampled(self) -> None:
        """Raise Absent where the window is too short for samples."""
        if self.window_seconds < SHORTEST_WINDOW_SECONDS:
            raise Absent(
                f"the window of {self.window_seconds:.2g} s is too short for samples every "
                f"{INTERVAL_SECONDS:g} s; ask for more steps, or for window_seconds"
            )

    def series(self, column: str) -> pd.Series:
        """One telemetry column in the window, indexed by time, its edges interpolated.

        Raises Absent where the column is missing or empty, doesn't cover the window, or has a gap
        around an edge of the window; and where the window is too short for samples.
        """
        if column not in self.telemetry:
            raise Absent(f"telemetry has no {column}")
        self.check_sampled()
        columns = self.telemetry["time_seconds"], self.telemetry[column]
        times, values = (np.asarray(each, dtype=float) for each in columns)
        times, values = (each[~np.isnan(values)] for each in (times, values))
        is_last = np.diff(times, append=np.inf) != 0  # among samples at the same time
        times, values = times[is_last], values[is_last]
        start, end = self.window
        if not len(times) or times[0] > start or times[-1] < end:
            raise Absent(f"{column} was not readable over the whole window")
        edges = np.searchsorted(times, [start, end]).clip(1)
        gap = (times[edges] - times[edges - 1]).max()
        if gap > LONGEST_GAP_SECONDS:
            raise Absent(f"{column} was not read for {gap:.1f} s around an edge of the window")
        inside = times[(times > start) & (times < end)]
        grid = np.concatenate([[start], inside, [end]])
        return pd.Series(np.interp(grid, times, values), index=grid, name=column)

    def gpu_series(self, quantity: str) -> list[pd.Series]:
        """One quantity ("power_watts") of each GPU used; raises Absent where none was used."""
        columns = [
            name
            for name in self.telemetry
            if name.startswith("gpu") and name.partition("_")[2] == quantity
        ]
        if not columns:
            raise Absent("no GPU was used")
        return [self.series(column) for column in columns]


def read_run(folder: Path, events: Events, labels: Labels = MappingProxyType({})) -> Run:
    """Read a run's folder; telemetry and dataset.json only for a run with status ok."""
    record = records.read(folder / records.RECORD)
    if record["status"] != "ok":
        return Run(record, events, folder=folder, **labels)
    return Run(
        record,
        events,
        telemetry=telemetry.read(folder / "telemetry.csv"),
        dataset=_dataset(record["job"]["data"]),
        folder=folder,
        **labels,
    )


def _dataset(path: str | None) -> dict[str, Any]:
    """The content of a dataset.json; empty if the run read no data or the file was deleted."""
    if path is None or not Path(path).is_file():
        return {}
    return read_json(Path(path), "dataset")
