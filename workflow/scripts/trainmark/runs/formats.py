"""Formats of results: their numbers, and a record's step from each format to the next.

A number stands for everything in a result set: records of runs, the events in their logs,
measurements.csv, archives. Whoever changes what one of them holds, or how a value is measured, adds
one to FORMAT, a step to STEPS, and an archive to tests/data/formats. (The step of
measurements.csv is in analyse/csv/measurements.py.)
"""

from collections.abc import Callable
from typing import Any

from trainmark.errors import TrainmarkError
from trainmark.study import axes, case_settings

FORMAT = 7

Record = dict[str, Any]
"""The content of a run.json."""


class UnknownFormat(TrainmarkError):
    """Results of a format that this version doesn't know: of a later version."""


def checked(number: Any, place: str) -> int:
    """The number of a format that this version reads; raises UnknownFormat.

    `place` is where it stands.
    """
    if not isinstance(number, int) or not 1 <= number <= FORMAT:
        raise UnknownFormat(
            f"{place} is of format {number}, and this trainmark reads formats up to {FORMAT}: "
            "use a later one"
        )
    return number


def upgraded(record: Record, place: str) -> Record:
    """A record with the content of the present format; raises UnknownFormat.

    Its value `format` stays that of the files.
    """
    number = checked(record.get("format", 1), place)
    for step in STEPS[number - 1 :]:
        record = step(record)
    return {**record, "format": number}


OF_HOSTS = ("model", "topology", "vectors", "caches", "microcode", "hypervisor")
"""What tells hosts with processors of one name apart; None where it isn't known."""
OF_GPUS = ("memory_bytes", "power_limit_watts", "compute_capability")
"""What tells GPUs of one name apart, and what they may draw; None where it isn't known."""


def _with_digests(record: Record) -> Record:
    """Format 2 has digests of the files beside the record, all axes, and every setting."""
    origin = {"nodes": [], "batch": None, "data_copy": None, **record["provenance"]}
    job = {**axes.DEFAULTS, **case_settings.of_record(record["job"])}
    return {**record, "files": {}, "job": job, "provenance": origin}


def _with_facts_of_hosts(record: Record) -> Record:
    """Format 3 tells processors of one name apart, on each node; format 5 by one fact more."""
    return _with_nodes(record, _with_facts_of_host)


def _with_facts_of_gpus(record: Record) -> Record:
    """Format 4 has more facts of GPUs, on each node."""
    return _with_nodes(record, _with_facts_of_its_gpus)


def _with_speed_of_hosts(record: Record) -> Record:
    """Format 6 has the measured speed of processors and memory."""
    return {"host_speed": None, **record}


def _unchanged(record: Record) -> Record:
    """Format 7 changed how a value is measured (analyse/compare/measured_otherwise.py)."""
    return record


def _with_nodes(record: Record, upgraded_node: Callable[[Any], Any]) -> Record:
    """A record with all of its nodes upgraded: the first one and the others."""
    origin = upgraded_node(record["provenance"])
    if isinstance(origin.get("nodes"), list):
        origin = {**origin, "nodes": list(map(upgraded_node, origin["nodes"]))}
    return {**record, "provenance": origin}


def _with_facts_of_host(node: Any) -> Any:
    """A node with the facts of its host; unchanged where it has none, which its schema reports."""
    if not isinstance(node, dict) or not isinstance(node.get("host"), dict):
        return node
    return {**node, "host": {**dict.fromkeys(OF_HOSTS), **node["host"]}}


def _with_facts_of_its_gpus(node: Any) -> Any:
    """A node with the facts of its GPUs; unchanged where it has no list of them, as above."""
    if not isinstance(node, dict) or not isinstance(node.get("gpus"), list):
        return node
    unknown = dict.fromkeys(OF_GPUS)
    return {**node, "gpus": [{**unknown, **gpu} for gpu in node["gpus"] if isinstance(gpu, dict)]}


STEPS: tuple[Callable[[Record], Record], ...] = (
    _with_digests,
    _with_facts_of_hosts,
    _with_facts_of_gpus,
    _with_facts_of_hosts,
    _with_speed_of_hosts,
    _unchanged,
)
"""The step from format 1 to 2, and so on."""
