"""events.jsonl: the events of all workers' logs, so that parsing again needs no training."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from trainmark.analyse.run.recording import Events
from trainmark.files import DamagedFile
from trainmark.runs.events import Event, last_of_each, parse


def event_lines(logs: Iterable[Path]) -> Iterator[str]:
    """Make one JSON line per event, with the run's folder as `run`."""
    for log in logs:
        for event in parse(log.read_text(encoding="utf-8", errors="replace")):
            yield json.dumps({"run": str(log.parent), **event}, sort_keys=True) + "\n"


def read(path: Path) -> dict[str, Events]:
    """The events of an events.jsonl by the run's folder; raises DamagedFile."""
    try:
        with path.open(encoding="utf-8") as lines:
            return events_by_folder(lines)
    except (ValueError, KeyError, TypeError) as error:
        raise DamagedFile(path, error) from error


def events_by_folder(lines: Iterable[str]) -> dict[str, Events]:
    """The last event of each kind of each run, by the run's folder."""
    by_folder: dict[str, list[Event]] = {}
    for event in map(json.loads, lines):
        by_folder.setdefault(event["run"], []).append(event)
    return {folder: last_of_each(events) for folder, events in by_folder.items()}
