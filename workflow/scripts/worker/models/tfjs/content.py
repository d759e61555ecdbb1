"""The content of a TensorFlow.js model's files: its constants."""

import json
from pathlib import Path
from typing import Iterator, Tuple

import numpy


def constants(path: Path) -> Iterator[Tuple[str, int]]:
    """Yield each weight's stored type and its bytes; integers are shapes and axes."""
    [group] = json.loads(path.read_text(encoding="utf-8"))["weightsManifest"]
    for entry in group["weights"]:
        stored = entry.get("quantization", entry)["dtype"]
        if stored != "int32":
            count = int(numpy.prod(entry["shape"], dtype=int))
            yield stored, count * numpy.dtype(stored).itemsize
