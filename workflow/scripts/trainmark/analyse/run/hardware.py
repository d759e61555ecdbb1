"""The hardware of a run in words."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

GIBIBYTE = 2**30


def nodes(provenance: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The nodes of a run, by its provenance: the one that it began on, and the others."""
    return [provenance, *provenance.get("nodes", [])]


def hardware(provenance: Mapping[str, Any]) -> str:
    """The processor, cores and GPUs; of several nodes, how many there are of each."""
    counts = Counter(map(_of_node, nodes(provenance)))
    if counts.total() == 1:
        return _of_node(provenance)
    return " + ".join(
        f"{count} node{'s' if count > 1 else ''} of {node}" for node, count in counts.items()
    )


def _of_node(node: Mapping[str, Any]) -> str:
    host, gpus = node["host"], [gpu["name"] for gpu in node["gpus"]]
    counted = [f"{gpus.count(name)} x {name}" for name in dict.fromkeys(gpus)]
    cores = f"{host['cores']} core{'s' if host['cores'] != 1 else ''}"
    return ", ".join([host["cpu"] or "unknown CPU", cores, *counted])


def memory_in_words(size_bytes: float) -> str:
    """A memory's size with one decimal."""
    return f"{size_bytes / GIBIBYTE:.1f} GiB"


def gpus_in_words(gpus: Iterable[Mapping[str, Any]]) -> str | None:
    """GPUs of records, with what is known of them; None without any."""
    counts = Counter(map(_of_gpu, gpus))
    return "; ".join(f"{count} x {gpu}" for gpu, count in counts.items()) or None


def _of_gpu(gpu: Mapping[str, Any]) -> str:
    memory, limit = gpu["memory_bytes"], gpu["power_limit_watts"]
    capability, driver = gpu["compute_capability"], gpu["driver"]
    known = [
        f"{memory / GIBIBYTE:.0f} GiB" if memory else "",
        f"at most {limit:.0f} W" if limit else "",
        f"architecture {capability}" if capability else "",
        f"driver {driver}" if driver else "",
    ]
    return f"{gpu['name']} ({', '.join(filter(None, known))})" if any(known) else str(gpu["name"])
