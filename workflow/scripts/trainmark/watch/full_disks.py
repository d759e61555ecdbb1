"""A disk that fills up while Snakemake works: one line instead of those for each of its files."""

import errno
import logging
import os

from trainmark.terminal import print_message

ERROR = os.strerror(errno.ENOSPC)
"""A part of Snakemake's log lines about files that it couldn't write."""


class Reporter(logging.Handler):
    """Prints once that a disk is full, and what to do."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self._has_reported = False

    def emit(self, record: logging.LogRecord) -> None:
        """Handle a line of Snakemake's log."""
        if ERROR not in str(record.msg) or self._has_reported:
            return
        self._has_reported = True
        try:
            print_message("a disk is full: free some space, and give the same command again")
        except OSError:  # standard error may be a file on that disk
            self.handleError(record)
