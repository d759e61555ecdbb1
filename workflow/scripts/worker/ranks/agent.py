"""The program that mpiexec calls in place of ssh: writes the command for a host to a file.

usage: python -IS agent.py FOLDER HOST COMMAND …
"""

import sys
from pathlib import Path


def main(folder: str, host: str, *command: str) -> None:
    """Write the command to FOLDER/HOST; the file appears complete, by a rename."""
    part = Path(folder, host + ".part")
    part.write_text(" ".join(command))
    part.rename(Path(folder, host))


if __name__ == "__main__":
    main(*sys.argv[1:])
