"""The newest releases of frameworks that are still released, added to their tables with a lock.

What can't be locked isn't added; a line says why, and the other frameworks go on.

usage: python -m trainmark.environments.newest ENVS
"""

import sys
import tomllib
from datetime import datetime
from pathlib import Path

from trainmark.environments.commands import useful_line
from trainmark.environments.locks import CannotResolve, lock_releases
from trainmark.environments.uv import uv
from trainmark.errors import one_line_errors
from trainmark.study import releases
from trainmark.terminal import print_message

LIVING = ("jax", "pytorch", "tensorflow")


def find(package: str, python: str) -> tuple[str, list[datetime]]:
    """The newest version of a package for a version of Python, and when its files were uploaded.

    A source that isn't PyPI may not say when, and may have a build of it (`+cpu`), whose name is
    left out. Raises CannotResolve.
    """
    options = ("--quiet", "--no-deps", "--no-header", "--format", "pylock.toml")
    answer = uv("pip", "compile", *options, "--python-version", python, "-", stdin=package)
    if answer.returncode:
        raise CannotResolve(useful_line(answer.stderr))
    (newest,) = tomllib.loads(answer.stdout)["packages"]
    files = newest.get("wheels") or [newest["sdist"]]
    times = [file["upload-time"] for file in files if "upload-time" in file]
    return newest["version"].partition("+")[0], times


def add(table: Path) -> None:
    """Add the newest release to a table, for the Python of the one before it, with its lock.

    Raises CannotResolve.
    """
    known = releases.read(table)
    last = list(known.values())[-1]
    package = last.requirements[0].partition("=")[0]
    version, times = find(package, last.python)
    if version in {release.number for release in known.values()}:
        print(f"{table}: {version} is the newest for Python {last.python}")
        return
    if not times:
        raise CannotResolve(
            f"{package} {version}: its source doesn't say its day; add its line by hand"
        )
    before = table.read_text(encoding="utf-8")
    entry = f'  {version}: {{released: {min(times):%Y-%m-%d}, python: "{last.python}"}}\n'
    table.write_text(before + entry, encoding="utf-8")
    releases.read.cache_clear()
    try:
        lock_releases(table)
    except BaseException:
        table.write_text(before, encoding="utf-8")
        releases.read.cache_clear()
        raise


if __name__ == "__main__":
    with one_line_errors():
        for name in LIVING:
            try:
                add(Path(sys.argv[1], releases.FOLDER, f"{name}.yaml"))
            except CannotResolve as error:
                print_message(str(error))
