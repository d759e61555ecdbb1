"""The least that a run.json holds."""

from typing import Any


def record(**changes: Any) -> dict[str, Any]:
    """The content of the run.json of a run that ended well, with changes."""
    return {
        "status": "ok",
        "job": {},
        "provenance": {},
        "attempts": 1,
        "disturbed": False,
        "disturbances": [],
        "window": None,
        **changes,
    }
