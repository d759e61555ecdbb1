"""A data set's files from a folder, an unpacked archive, a part of one, or over the network."""

import json
import shutil
import tarfile
from pathlib import Path

import pytest
from data_files import RETRIES

from trainmark.data import sources
from trainmark.data.obtain.addresses import DownloadError
from trainmark.study.mirrors import local_path

BATCHES = "cifar-10-batches-py"


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Send what would go to the data sets' own URLs to a proxy that isn't there."""
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")


@pytest.fixture
def cifar10(tmp_path: Path) -> Path:
    return tmp_path / "cifar10" / "source"


@pytest.fixture(scope="session")
def part_of_cifar10(shared_data: Path) -> Path:
    """An archive of CIFAR-10 with data_batch_1 and test_batch alone."""
    path = shared_data / "cifar-10-python-subset.tar.gz"
    if not path.exists():
        pytest.skip(f"needs a part of CIFAR-10: no {path}")
    return path


@pytest.fixture(scope="session")
def unpacked(part_of_cifar10: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder into which it was unpacked."""
    folder = tmp_path_factory.mktemp("mirror")
    with tarfile.open(part_of_cifar10) as tar:
        tar.extractall(folder, filter="data")
    return folder


def names(source: Path) -> list[str]:
    record = json.loads((source.parent / "source.json").read_text(encoding="utf-8"))
    return [file["name"] for file in record["files"]]


def left_in(source: Path) -> list[str]:
    return [path.name for path in source.rglob("*") if path.is_file()]


def test_a_data_set_without_files_needs_no_source(tmp_path: Path) -> None:
    for dataset in ("digits", "synthetic-mnist", "synthetic-3x64x64-10"):
        sources.obtain(dataset, tmp_path / dataset / "source")
        assert names(tmp_path / dataset / "source") == []


def test_mnist_from_a_folder(shared_data: Path, tmp_path: Path) -> None:
    source = tmp_path / "mnist" / "source"
    sources.obtain("mnist", source, ["/no/such/folder", str(shared_data)])
    first = source.with_name("source.json").read_bytes()
    sources.obtain("mnist", source, [], retries=RETRIES)
    assert source.with_name("source.json").read_bytes() == first
    assert len(names(source)) == 4


def test_mnist_from_a_wrong_folder(shared_data: Path, tmp_path: Path) -> None:
    mirror, source = tmp_path / "mirror", tmp_path / "mnist" / "source"
    mirror.mkdir()
    shutil.copy(shared_data / "t10k-labels-idx1-ubyte.gz", mirror / "train-images-idx3-ubyte.gz")
    with pytest.raises(DownloadError, match=f"{mirror}/train.*: has 4542 bytes instead of 9912422"):
        sources.obtain("mnist", source, [str(mirror)], retries=RETRIES)
    assert left_in(source) == []
    assert not source.with_name("source.json").exists()


@pytest.mark.parametrize("kind", ["its folder", "a folder of its content"])
def test_a_part_of_cifar10_is_refused(
    part_of_cifar10: Path, unpacked: Path, cifar10: Path, kind: str
) -> None:
    mirror = mirrors(part_of_cifar10, unpacked)[kind]
    with pytest.raises(DownloadError, match=r"lacks data_batch_2, .*, data_batch_5; list .*subset"):
        sources.obtain("cifar10", cifar10, [str(mirror)], retries=RETRIES)
    assert left_in(cifar10) == []


@pytest.mark.parametrize("kind", ["the archive", "its folder", "a folder of its content"])
def test_a_part_of_cifar10_is_taken_on_request(
    part_of_cifar10: Path, unpacked: Path, cifar10: Path, kind: str
) -> None:
    mirror = mirrors(part_of_cifar10, unpacked)[kind]
    sources.obtain("cifar10", cifar10, [str(mirror)], subset=True)
    assert names(cifar10) == [f"{BATCHES}/data_batch_1", f"{BATCHES}/test_batch"]
    assert sorted(left_in(cifar10)) == ["data_batch_1", "test_batch"]


def mirrors(archive: Path, unpacked: Path) -> dict[str, Path]:
    return {
        "the archive": archive,
        "its folder": archive.parent,
        "a folder of its content": unpacked,
    }


def test_a_changed_batch_is_refused(unpacked: Path, cifar10: Path, tmp_path: Path) -> None:
    mirror = tmp_path / "mirror"
    shutil.copytree(unpacked, mirror)
    with (mirror / BATCHES / "test_batch").open("r+b") as file:
        file.seek(1_000_000)
        file.write(b"changed")
    with pytest.raises(DownloadError, match="its cifar-10-batches-py/test_batch has not the offi"):
        sources.obtain("cifar10", cifar10, [str(mirror)], subset=True, retries=RETRIES)
    assert left_in(cifar10) == []


def test_an_address_that_is_no_path_and_no_url_is_left_to_who_asks_for_it():
    assert local_path("~nobody-of-this-name/data") == Path("~nobody-of-this-name/data")
    assert local_path("http://[::1/data") is None
