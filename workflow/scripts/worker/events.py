"""A worker's events: one JSON object a line, behind a prefix, among all other output."""

import json
import math
import sys
import time
from typing import Any, Optional

PREFIX = "@trainmark "


class Unsupported(Exception):
    """The framework can't do what the job asks for: a device, a precision, an option."""


class ParityFailed(Exception):
    """The framework's first steps don't agree with the reference."""


def emit(event: str, time_seconds: Optional[float] = None, **fields: Any) -> None:
    """Print one event, stamped with the system-wide monotonic clock (seconds) unless given."""
    if time_seconds is None:
        time_seconds = time.monotonic()
    record = dict(event=event, time_seconds=time_seconds, **fields)
    sys.stdout.write(PREFIX + json.dumps(_finite(record), sort_keys=True) + "\n")
    sys.stdout.flush()


def _finite(value: Any) -> Any:
    """JSON knows no NaN and no infinity: they become null."""
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
