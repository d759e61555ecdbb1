"""Events: the JSON lines a worker prints among whatever its framework prints.

Where a worker announces a dialect, the log that follows is its framework's, and events are made
from what the dialect's parser reads in it.
"""

import json
from collections.abc import Iterable
from functools import cache
from typing import Any, NamedTuple

from trainmark.runs.logs import window
from trainmark.study import case_settings, plugins

Event = dict[str, Any]

PREFIX = "@trainmark "
SCHEMA = case_settings.SCHEMAS / "event.schema.json"
TYPES: dict[str, type | tuple[type, ...]] = {
    "string": str,
    "boolean": bool,
    "integer": int,
    "number": (int, float),
    "object": dict,
    "array": list,
    "null": type(None),
}


class Scan(NamedTuple):
    """The events of a log in their order, and the number of event lines that made no sense."""

    events: list[Event]
    rejected: int


def parse(text: str) -> list[Event]:
    """The valid events in a worker's log, in order."""
    return scan(text).events


def scan(text: str) -> Scan:
    """Find the prefix anywhere in a line: a framework may have printed without a newline."""
    events: list[Event] = []
    rejected = 0
    position = text.find(PREFIX)
    while position >= 0:
        event, position = _decode(text, position + len(PREFIX))
        following = text.find(PREFIX, position)
        if event is None:
            rejected += 1
        elif event["event"] == "dialect":
            events += _translated(text[position : following if following >= 0 else None], event)
        else:
            events.append(event)
        position = following
    return Scan(events, rejected)


def last(events: list[Event], kind: str) -> Event | None:
    """The last event of a kind, if there is one."""
    return next((event for event in reversed(events) if event["event"] == kind), None)


def last_of_each(events: Iterable[Event]) -> dict[str, Event]:
    """The last event of each kind, by its kind."""
    return {event["event"]: event for event in events}


def valid(event: Any) -> bool:
    """Whether an event conforms to event.schema.json.

    The schema uses only a few keywords; checking those here spares every run the quarter of a
    second that importing a full validator takes. A test holds the two against each other.
    """
    if not isinstance(event, dict):
        return False
    kind = _kinds().get(str(event.get("event")))
    if kind is None or not set(kind["required"]) <= set(event) <= set(kind["properties"]):
        return False
    return all(_fits(value, kind["properties"][name]) for name, value in event.items())


def _decode(text: str, start: int) -> tuple[Event | None, int]:
    """The event that starts at a position (None if it is not one) and where to go on."""
    end_of_line = text.find("\n", start)
    line = text[start:] if end_of_line < 0 else text[start:end_of_line]
    try:
        event, length = _DECODER.raw_decode(line)
    except ValueError:
        return None, start
    return (event if _is_usable(event) else None), start + length


def _is_usable(event: Any) -> bool:
    """Whether an event is valid and, if it announces a dialect, there is a parser of it."""
    return valid(event) and (
        event["event"] != "dialect" or event["name"] in plugins.names("dialect")
    )


def _translated(log: str, announced: Event) -> list[Event]:
    """The events of a log in a dialect; a last line that was cut off doesn't count."""
    dialect = plugins.load("dialect", announced["name"])
    *lines, _ = log.split("\n")
    return window.events(list(dialect.progress(lines)), announced)


def _fits(value: Any, rule: dict[str, Any]) -> bool:
    if "const" in rule or "enum" in rule:
        return value in rule.get("enum", [rule.get("const")])
    kinds = [rule["type"]] if isinstance(rule["type"], str) else rule["type"]
    if isinstance(value, bool):  # Python counts it as an integer, JSON does not
        return "boolean" in kinds
    if not any(isinstance(value, TYPES[kind]) for kind in kinds):
        return False
    return not isinstance(value, list) or all(_fits(item, rule["items"]) for item in value)


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")


@cache
def _kinds() -> dict[str, Any]:
    kinds: dict[str, Any] = json.loads(SCHEMA.read_text(encoding="utf-8"))["$defs"]
    return kinds


_DECODER = json.JSONDecoder(parse_constant=_refuse)
