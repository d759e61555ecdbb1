"""The files that runs read and that other rules made: their digests, and damage to them."""

import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from trainmark.data import stored, unavailable
from trainmark.files import BROKEN_ZIP, DamagedFile, file_digest, read_json
from trainmark.study import paths
from trainmark.study.planned_run import PlannedRun

SOURCE, INDEX = Path(paths.SOURCE_RECORD).name, Path(paths.DATASET_INDEX).name


def prepared(run: PlannedRun) -> dict[str, str]:
    """The files that a run needs beforehand, by name: environments, reference and data."""
    if not run.is_included:
        return {}
    files = {
        "lock": paths.INSTALLED_LOCK.format_map(run.settings),
        "environment": paths.ENVIRONMENT_COMPLETE.format_map(run.settings),
        "reference": paths.REFERENCE.format(reference=run.reference),
    }
    if run.reads_data:
        files["data"] = paths.DATASET_INDEX.format(format=run.format, **run.settings)
    if run.settings["attacks"]:
        files["attacker"] = paths.INSTALLED_LOCK.format(environment=paths.ATTACKER)
        files["attacking"] = paths.ENVIRONMENT_COMPLETE.format(environment=paths.ATTACKER)
    return files


def files_before(run: PlannedRun) -> Iterator[str]:
    """The files that a run needs and other rules make, if it takes place, but other runs' files."""
    files = prepared(run)
    yield from files.values()
    if "data" in files:
        yield paths.source_record(run.settings["dataset"])


def records_before(run: PlannedRun) -> Iterator[str]:
    """Those of the files that are records: of environments and of the data set."""
    return (path for path in files_before(run) if path.endswith(".json"))


def digests(inputs: Mapping[str, str]) -> dict[str, str]:
    """SHA-256 of each file, by the names of the files."""
    return {name: file_digest(Path(path)) for name, path in inputs.items()}


def check(path: Path) -> None:
    """Raise DamagedFile where a JSON file or a file of arrays isn't as it was written.

    Of converted images, the sizes of their files are compared with those in their index.
    """
    if path.suffix == ".json":
        _check_object(path)
    elif path.suffix == ".npz":
        _check_arrays(path)


def _check_object(path: Path) -> None:
    content = read_json(path)
    identity = {"environment": path.stem}
    if path.name == SOURCE:
        identity = {"dataset": path.parts[-2]}
    elif path.name == INDEX and content.get("status") == unavailable.STATUS:
        identity = {"dataset": path.parts[-3]}
    elif path.name == INDEX:
        identity = {"dataset": path.parts[-3], "format": path.parts[-2]}
    if any(content.get(name) != value for name, value in identity.items()):
        raise DamagedFile(path, "it is of something else")
    if path.name == INDEX:
        stored.check_sizes(path, content.get("splits", {}))


def _check_arrays(path: Path) -> None:
    try:
        with zipfile.ZipFile(path) as arrays:
            broken, name = arrays.testzip(), arrays.comment.decode()
            is_empty = not arrays.namelist()
    except BROKEN_ZIP as error:
        raise DamagedFile(path, error) from error
    if is_empty:
        raise DamagedFile(path, "it has no arrays")
    if broken:
        raise DamagedFile(path, f"its {broken} isn't as it was written")
    if name not in ("", path.stem):  # earlier versions wrote none
        raise DamagedFile(path, f"it is the reference {name}")
