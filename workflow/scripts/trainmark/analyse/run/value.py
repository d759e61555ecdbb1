"""The value of a metric of one run."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from trainmark.analyse.run.recording import Absent, Run, read_run
from trainmark.runs.events import last_of_each, parse
from trainmark.study import plugins
from trainmark.study.stages import main_metric


def value_of(metric: str, run: Run) -> float:
    """The value of a metric, by its name; raises Absent with the reason.

    A run that isn't ok has no value, except of the metric by whose proof it failed.
    """
    proof = plugins.facts("metric", metric).get("PROOF", "")
    if run.events.get(proof, {}).get("passed") is not False:
        require_ok(run)
    value: float = plugins.load("metric", metric)(run)
    return value


def require_ok(run: Run) -> None:
    """Raise Absent with the status and the reason of a run that isn't ok."""
    if run.record["status"] != "ok":
        raise Absent(": ".join(filter(None, (run.record["status"], run.record["reason"]))))


def main_values(folders: Iterable[Path]) -> Iterator[tuple[str, float]]:
    """The name and the value of the main metric of each run that has one, by the runs' folders."""
    for folder in folders:
        events = parse((folder / "worker.log").read_text(encoding="utf-8", errors="replace"))
        run = read_run(folder, last_of_each(events))
        metric = main_metric(run.job["stage"])
        try:
            yield metric, value_of(metric, run)
        except Absent:
            continue
