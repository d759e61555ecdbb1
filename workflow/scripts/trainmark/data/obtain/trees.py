"""A folder of an archive, as trees of many image files come: from the archive or what a mirror has.

A mirror may hold the official archive, a folder into which it was unpacked, or another archive of
a similar name; a mirror may also be such an archive itself.
"""

import hashlib
import shutil
from collections.abc import Sequence
from functools import partial
from pathlib import Path, PurePosixPath

from trainmark.data.obtain.archives import unpack
from trainmark.data.obtain.checked_file import SourceFile, Tree, WrongFile
from trainmark.data.obtain.download import first_that_works
from trainmark.data.obtain.members import addresses, unpacked
from trainmark.data.obtain.storage import make_room
from trainmark.data.obtain.transfer import Retries
from trainmark.files import file_digest


def obtain_tree(
    file: SourceFile,
    tree: Tree,
    mirrors: Sequence[str],
    folder: Path,
    subset: bool,
    retries: Retries,
) -> list[str]:
    """Bring the wanted `tree` of `file` into `folder`, and return the names of the files in it.

    With `subset`, they may be others than the official ones. Raises DownloadError or StorageError.
    """
    if tree.sha256 is None or _digest(tree, folder / tree.name) != tree.sha256:
        part = folder / f"{file.name}.part"
        make_room(folder, 3 * (file.bytes or 0))
        ways = [
            (address, partial(_adopt, file, tree, address, part, subset, retries))
            for address in addresses(file, mirrors, (tree.files, f"*/{tree.files}"))
        ]
        first_that_works(file.name, ways, part)
    return [f"{tree.name}/{name}" for name in _names(tree, folder / tree.name)]


def _adopt(
    file: SourceFile, tree: Tree, address: str, part: Path, subset: bool, retries: Retries
) -> None:
    """Copy the tree's files from `address` to the folder of `part`, if they are right."""
    with unpacked(file, address, part, retries) as content:
        nested = next(content.rglob(tree.nested), None) if tree.nested else None
        inner = part.with_name(".nested")
        try:
            if nested:
                unpack(nested, inner)
            folder = _tree_folder(tree, inner if nested else content)
            _check(tree, folder, subset)
            _copy(tree, folder, part.with_name(tree.name))
        finally:
            shutil.rmtree(inner, ignore_errors=True)


def _tree_folder(tree: Tree, content: Path) -> Path:
    """The folder of the wanted files."""
    first = min(content.rglob(tree.files), default=None)
    if first is None:
        raise WrongFile(f"has no files {tree.files}")
    return first.parents[len(PurePosixPath(tree.files).parts) - 1]


def _check(tree: Tree, folder: Path, subset: bool) -> None:
    if tree.sha256 and not subset and (sha256 := _digest(tree, folder)) != tree.sha256:
        raise WrongFile(
            f"its {len(_names(tree, folder))} files {tree.files} are others than the official ones "
            f"(sha256 {sha256} instead of {tree.sha256}); list the data set under machine.subset "
            "to measure on them"
        )


def _copy(tree: Tree, folder: Path, target: Path) -> None:
    """Copy the files with their times, by which a changed listing of image files is recognised."""
    shutil.rmtree(target, ignore_errors=True)
    for name in _names(tree, folder):
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(folder / name, target / name)


def _names(tree: Tree, folder: Path) -> list[str]:
    """The sorted names of the wanted files, relative to the folder."""
    return sorted(path.relative_to(folder).as_posix() for path in folder.glob(tree.files))


def _digest(tree: Tree, folder: Path) -> str:
    """SHA-256 over the names of the files and the SHA-256 of each."""
    hasher = hashlib.sha256()
    for name in _names(tree, folder):
        hasher.update(f"{name} {file_digest(folder / name)}\n".encode())
    return hasher.hexdigest()
