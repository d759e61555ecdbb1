"""Waiting for what must happen, however slow other work makes the machine."""

import time
from collections.abc import Callable
from typing import Any

PATIENCE_SECONDS = 600
"""When to give up what doesn't happen: many times what it takes on a busy machine."""


LONG_SECONDS = 2 * PATIENCE_SECONDS
"""How long a process goes on by itself that has to be ended."""


def wait_for(condition: Callable[[], Any]) -> Any:
    """Wait until the condition gives something true, and return that."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline:
        if value := condition():
            return value
        time.sleep(0.02)
    raise AssertionError("waited in vain")
