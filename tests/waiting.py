"""Waiting for what must happen, however slow other work makes the machine."""

import subprocess
import time
from collections.abc import Callable
from typing import Any

PATIENCE_SECONDS = 600
"""When to give up what doesn't happen: many times what it takes on a busy machine."""


LONG_SECONDS = 2 * PATIENCE_SECONDS
"""How long a process goes on by itself that has to be ended."""


def wait_for(
    condition: Callable[[], Any],
    process: subprocess.Popen[str] | None = None,
    every_seconds: float = 0.02,
) -> Any:
    """Wait until the condition gives something true, while a process lasts, and return that."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline:
        if value := condition():
            return value
        assert process is None or process.poll() is None, process.communicate()
        time.sleep(every_seconds)
    raise AssertionError("waited in vain")
