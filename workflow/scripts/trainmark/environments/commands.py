"""Running the programs that build an environment; a failure gives a reason in one line.

Needs the standard library alone, as it also fills the host environment.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from trainmark.environments import Unavailable
from trainmark.parent import attached

# What would tie an environment to the shell or the virtual environment that started us.
FOREIGN = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "CONDA_PREFIX")
# uv: `error: …`; apt: `E: …`; gcc: `file.c:3:10: fatal error: …`.
ERROR = re.compile(r"^(?:error: |E: |\S+: (?:fatal )?error: )(.+)")


def clean_environment() -> dict[str, str]:
    """The environment of this process without what belongs to another Python."""
    return {name: value for name, value in os.environ.items() if name not in FOREIGN}


def require_programs(*names: str) -> None:
    """Raise Unavailable unless each program is on PATH."""
    missing = [name for name in names if shutil.which(name) is None]
    if missing:
        raise Unavailable(
            f"{' and '.join(missing)} can't be found on PATH: install what is missing"
        )


def run(
    command: Sequence[str | Path],
    failure: str,
    folder: Path | None = None,
    variables: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """Call a program in a folder (default: ours) and return what it printed to standard output.

    variables: environment variables of this call, over ours. Raises Unavailable where it fails:
    `failure`, and the first useful line of what it printed.
    """
    in_english = {"LC_ALL": "C.UTF-8", "LANGUAGE": ""}  # as messages are looked through
    environment = {**clean_environment(), **in_english, **variables}
    done = subprocess.run(
        attached(*command),
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        errors="replace",
    )
    require_success(done, failure)
    return done.stdout


def require_success(done: subprocess.CompletedProcess[str], failure: str) -> None:
    """Pass on what a program printed to standard error; raise Unavailable if it failed."""
    sys.stderr.write(done.stderr)
    if done.returncode:
        sys.stderr.write(done.stdout)
        raise Unavailable(f"{failure}: {useful_line(done.stderr or done.stdout)}")


def useful_line(log: str) -> str:
    """The first error and uv's first cause of it on one line, from all that a program printed."""
    lines = [line.strip() for line in log.splitlines() if line.strip()]
    for number, line in enumerate(lines):
        if error := ERROR.match(line):
            causes = [text[7:] for text in lines[number + 1 :] if text.startswith("cause: ")][:1]
            return ": ".join([error[1], *causes])
    return lines[-1] if lines else "it said nothing"
