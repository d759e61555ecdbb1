"""Errors that a user can meet: each is shown as one line."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from trainmark.terminal import prefixed


class TrainmarkError(Exception):
    """An error whose message is one line: what is wrong, where, and what to do about it."""


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
