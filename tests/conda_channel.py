"""A conda channel on disk, for tests of `--sdm conda`: pyenv's Pythons, and any small package.

Its packages are .tar.bz2 archives as conda's own, with info/index.json, info/files and
info/paths.json (files, sums, the placeholder of the prefix in text files).
Source: https://docs.conda.io/projects/conda-build/en/stable/resources/package-spec.html.
"""

import asyncio
import hashlib
import json
import shutil
import tarfile
from pathlib import Path
from typing import Any

from rattler.index import index_fs

PLACEHOLDER = "/opt/" + "placeholder_" * 20  # as long as the paths of prefixes may be
LEFT_OUT = ("test", "tests", "idlelib", "turtledemo", "tkinter", "ensurepip", "lib2to3")
LEFT_OUT_FILES = ("__pycache__", "*.a")


def add_python(channel: Path, interpreter: Path) -> None:
    """Pack one of pyenv's interpreters, <version>/bin/python, without what is installed in it."""
    source = interpreter.parents[1]
    version = source.name
    short = version.rpartition(".")[0]
    prefix = channel / f"python-{version}"
    library = Path("lib", f"python{short}")
    ignore = shutil.ignore_patterns(*LEFT_OUT, *LEFT_OUT_FILES, "site-packages")
    shutil.copytree(source / library, prefix / library, symlinks=True, ignore=ignore)
    shutil.copytree(source / "include", prefix / "include")
    (prefix / library / "site-packages").mkdir()
    (prefix / library / "site-packages" / "README.txt").touch()
    (prefix / "bin").mkdir()
    shutil.copy(source / "bin" / f"python{short}", prefix / "bin")
    (prefix / "bin" / "python").symlink_to(f"python{short}")
    for path in (source / "lib").glob("libpython*.so*"):
        shutil.copy(path, prefix / "lib", follow_symlinks=False)
    packages = {"python_site_packages_path": str(library / "site-packages")}
    pack(channel, prefix, "python", version, str(source), **packages)


def pack(
    channel: Path, prefix: Path, name: str, version: str, old_prefix: str = "", **more: Any
) -> None:
    """Write the package of all that is below a folder, and then remove that folder.

    old_prefix: the path that text files name, where that of the environment is to stand.
    """
    files = sorted(path for path in prefix.rglob("*") if path.is_symlink() or path.is_file())
    paths = [entry(path, prefix, old_prefix) for path in files]
    index = {"name": name, "version": version, "build": "0", "build_number": 0, "depends": []}
    index |= {"arch": "x86_64", "platform": "linux", "subdir": "linux-64", **more}
    write_info(prefix, "index.json", json.dumps(index))
    write_info(prefix, "paths.json", json.dumps({"paths": paths, "paths_version": 1}))
    write_info(prefix, "files", "".join(f"{path['_path']}\n" for path in paths))
    target = channel / "linux-64" / f"{name}-{version}-0.tar.bz2"
    target.parent.mkdir(exist_ok=True)
    with tarfile.open(target, "w:bz2", compresslevel=1) as archive:
        for path in sorted(prefix.iterdir()):
            archive.add(path, path.name)
    shutil.rmtree(prefix)


def entry(path: Path, prefix: Path, old_prefix: str) -> dict[str, Any]:
    """What paths.json says of one file, in which a placeholder comes where the old prefix was."""
    described: dict[str, Any] = {"_path": str(path.relative_to(prefix)), "path_type": "hardlink"}
    if path.is_symlink():
        return described | {"path_type": "softlink"}
    content = path.read_bytes()
    if old_prefix and old_prefix.encode() in content and b"\0" not in content:
        content = content.replace(old_prefix.encode(), PLACEHOLDER.encode())
        path.write_bytes(content)
        described |= {"prefix_placeholder": PLACEHOLDER, "file_mode": "text"}
    digest = hashlib.sha256(content).hexdigest()
    return described | {"sha256": digest, "size_in_bytes": len(content)}


def write_info(prefix: Path, name: str, text: str) -> None:
    (prefix / "info").mkdir(exist_ok=True)
    (prefix / "info" / name).write_text(text)


def index(channel: Path) -> None:
    """Write the channel's repodata.json files."""
    asyncio.run(index_fs(channel, write_zst=False, write_shards=False, force=True))
