"""The events of all workers' logs in one file, so that parsing again needs no training."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from trainmark.runs.events import parse


def event_lines(logs: Iterable[Path]) -> Iterator[str]:
    """Make one JSON line per event, `run` being the folder of the run that told it."""
    for log in logs:
        for event in parse(log.read_text(encoding="utf-8", errors="replace")):
            yield json.dumps({"run": str(log.parent), **event}, sort_keys=True) + "\n"
