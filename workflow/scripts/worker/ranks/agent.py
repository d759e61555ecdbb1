"""What mpiexec calls in place of ssh: it leaves a host's command in a file of the host's name.

usage: python -IS agent.py FOLDER HOST COMMAND …
"""

import sys
from pathlib import Path


def main(folder: str, host: str, *command: str) -> None:
    """Leave the command, whole from the first moment on."""
    part = Path(folder, host + ".part")
    part.write_text(" ".join(command))
    part.rename(Path(folder, host))


if __name__ == "__main__":
    main(*sys.argv[1:])
