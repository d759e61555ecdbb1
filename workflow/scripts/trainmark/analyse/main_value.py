"""The main metric of runs by their folders alone, before the study's tables are made."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from trainmark.analyse.measurements import read_run, value_of
from trainmark.analyse.run.recording import Absent
from trainmark.runs.events import last_of_each, parse
from trainmark.study import plugins
from trainmark.study.stages import main_metric


def main_values(folders: Iterable[Path]) -> Iterator[tuple[str, float]]:
    """The name and the value of the main metric of each run that has one."""
    for folder in folders:
        events = parse((folder / "worker.log").read_text(encoding="utf-8", errors="replace"))
        run = read_run(folder, last_of_each(events))
        metric = main_metric(run.job["stage"])
        try:
            yield metric, value_of(metric, run)
        except Absent:
            continue
