"""Errors that a user can meet: each is shown as one line."""

import difflib
import os
import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager

from trainmark.terminal import prefixed


class TrainmarkError(Exception):
    """An error whose message is one line: what is wrong, where, and what to do about it."""


def unknown(what: str, name: str, known: Collection[str]) -> str:
    """What to say of a name that isn't among the known ones."""
    return f"unknown {what} {with_hint(name, known)}; known: {', '.join(known)}"


def with_hint(name: str, known: Collection[str]) -> str:
    """An unknown name, with the known one that is most like it, if one is."""
    alike = difflib.get_close_matches(name, known, n=1)
    return f"'{name}' (did you mean {alike[0]}?)" if alike else f"'{name}'"


@contextmanager
def one_line_errors() -> Iterator[None]:
    """Turn an expected error into one line on standard error and exit status 1."""
    try:
        yield
    except TrainmarkError as error:
        sys.exit(prefixed(str(error)))
    except KeyboardInterrupt:
        sys.exit(prefixed("interrupted"))
    except OSError as error:
        path = f": {os.fsdecode(error.filename)}" if error.filename else ""
        sys.exit(prefixed(f"{error.strerror or error}{path}"))
