"""The hardware of a run in a few words."""

from collections import Counter
from collections.abc import Mapping
from typing import Any


def hardware(provenance: Mapping[str, Any]) -> str:
    """The processor, cores and GPUs; of several nodes, how many there are of each."""
    others = provenance.get("nodes", [])
    if not others:
        return _of_node(provenance)
    counts = Counter(_of_node(node) for node in (provenance, *others))
    return " + ".join(
        f"{count} node{'s' if count > 1 else ''} of {node}" for node, count in counts.items()
    )


def _of_node(node: Mapping[str, Any]) -> str:
    host, gpus = node["host"], [gpu["name"] for gpu in node["gpus"]]
    counted = [f"{gpus.count(name)} x {name}" for name in dict.fromkeys(gpus)]
    cores = f"{host['cores']} core{'s' if host['cores'] != 1 else ''}"
    return ", ".join([host["cpu"] or "unknown CPU", cores, *counted])
