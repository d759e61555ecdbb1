"""The errors a user can meet, and how they are shown."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

from trainmark.terminal import tell


class TrainmarkError(Exception):
    """An error whose message is one line: what is wrong, where, and what to do about it."""


@contextmanager
def one_line_errors() -> Iterator[None]:
    """Turn an expected error into one line on standard error and exit status 1."""
    try:
        yield
    except TrainmarkError as error:
        _end(str(error))
    except KeyboardInterrupt:
        _end("interrupted")
    except OSError as error:
        place = f": {os.fsdecode(error.filename)}" if error.filename else ""
        _end(f"{error.strerror or error}{place}")


def _end(reason: str) -> NoReturn:
    tell(reason)
    sys.exit(1)
