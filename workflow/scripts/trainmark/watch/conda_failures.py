"""An environment that conda can't make: one line instead of Snakemake's and conda's."""

import logging
import re
import textwrap

from trainmark.terminal import print_message

ERROR = "CreateCondaEnvironmentException"
"""What Snakemake's log line about it begins with."""
FILE = re.compile(r"environment from (\S+):$", re.MULTILINE)
LONGEST = 300


class Reporter(logging.Handler):
    """Prints which environment conda couldn't make, and why; Snakemake's log has all of it."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)

    def emit(self, record: logging.LogRecord) -> None:
        """Handle a line of Snakemake's log."""
        text = str(record.msg)
        if text.startswith(ERROR):
            file = FILE.search(text)
            print_message(f"--sdm conda: {f'{file[1]}: ' if file else ''}{reason(text)}")


def reason(message: str) -> str:
    """What conda said from its first error on, or what Snakemake says of conda, on one line."""
    said = message.partition("Output:\n")[2] or message.partition("\n")[2]
    error = re.search(r"^\w+(?:Error|NotFound)\b.*", said, re.MULTILINE | re.DOTALL)
    return textwrap.shorten(error[0] if error else said, LONGEST, placeholder=" …")
