"""Functions of tests that make each thing once."""

import functools
import json
from collections.abc import Callable
from typing import Any


def once(make: Callable[..., Any]) -> Callable[..., Any]:
    """The function, which makes a second time nothing that it has made of the same arguments."""
    made: dict[str, Any] = {}

    @functools.wraps(make)
    def kept(*arguments: Any) -> Any:
        key = json.dumps(arguments, sort_keys=True, default=str)
        if key not in made:
            made[key] = make(*arguments)
        return made[key]

    return kept
