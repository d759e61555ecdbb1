"""The errors a user can meet, and how they are shown."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from trainmark.terminal import own


class TrainmarkError(Exception):
    """An error whose message is one line: what is wrong, where, and what to do about it."""


@contextmanager
def one_line_errors() -> Iterator[None]:
    """Turn an expected error into one line on standard error and exit status 1."""
    try:
        yield
    except TrainmarkError as error:
        sys.exit(own(str(error)))
    except KeyboardInterrupt:
        sys.exit(own("interrupted"))
    except OSError as error:
        place = f": {os.fsdecode(error.filename)}" if error.filename else ""
        sys.exit(own(f"{error.strerror or error}{place}"))
