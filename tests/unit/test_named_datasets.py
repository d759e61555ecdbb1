"""CIFAR-100, AT&T faces and Caltech-101, of small archives that are laid out as theirs."""

import hashlib
import io
import pickle
import tarfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from data_files import RETRIES, read_split, tarred, zipped
from pictures import encoded
from PIL import Image

from trainmark.data import sources
from trainmark.data.errors import DataError
from trainmark.data.obtain import checked_file
from trainmark.data.obtain.addresses import DownloadError
from trainmark.data.read import chunks
from trainmark.data.read.images import Listing, listings
from trainmark.data.variants.coarse import SUPERCLASSES
from trainmark.study.datasets import facts

Archive = dict[str, bytes]
Obtain = Callable[[str, Archive], Path]


@pytest.fixture
def obtain(mirror: tuple[Path, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Obtain:
    """Obtain a part of a data set from a server; the checksums are those of the small archive."""
    folder, url = mirror

    def obtained(dataset: str, content: Archive) -> Path:
        (official,) = checked_file.source_files(dataset)
        packed = zipped(content) if official.name.endswith(".zip") else tarred(content)
        (folder / official.name).write_bytes(packed)
        small = replace(
            official,
            bytes=official.bytes and len(packed),
            sha256=official.sha256 and hashlib.sha256(packed).hexdigest(),
            members={name: hashlib.md5(content[name]).hexdigest() for name in official.members},
        )
        monkeypatch.setattr(sources, "source_files", lambda _: [small])
        source = tmp_path / dataset / "source"
        sources.obtain(dataset, source, [url], subset=True)
        return source

    return obtained


def batch(images: np.ndarray, classes: np.ndarray) -> bytes:
    """A file of CIFAR-100; numpy's module has the name that it had when these were written."""
    content = {
        b"data": images.reshape(-1, 3072),
        b"fine_labels": classes.tolist(),
        b"coarse_labels": SUPERCLASSES[classes].tolist(),
    }
    pickled = pickle.dumps(content, protocol=3)
    return pickled.replace(b"cnumpy._core.multiarray\n", b"cnumpy.core.multiarray\n")


def test_cifar100(obtain: Obtain) -> None:
    random = np.random.default_rng(1)
    images = random.integers(256, size=(130, 3, 32, 32), dtype=np.uint8)
    classes = np.arange(130) % 100
    train, test = batch(images[:100], classes[:100]), batch(images[100:], classes[100:])
    content = {"cifar-100-python/train": train, "cifar-100-python/test": test}
    source = obtain("cifar100", content | {"cifar-100-python/meta": b"not wanted"})
    for name, labels in (("cifar100", classes), ("cifar100-coarse", SUPERCLASSES[classes])):
        split = read_split(name, source, "train")
        assert (split[0] == images[:100]).all() and (split[1] == labels[:100]).all()
        split = read_split(name, source, "test")
        assert (split[0] == images[100:]).all() and (split[1] == labels[100:]).all()


def test_the_superclasses_are_those_of_cifar100s_files(shared_data: Path) -> None:
    path = shared_data / "cifar-100-python-test.tar.gz"
    if not path.exists():
        pytest.skip(f"needs the test images of CIFAR-100: no {path}")
    with tarfile.open(path) as archive:
        member = archive.extractfile("cifar-100-python/test")
        assert member is not None
        labels = pickle.load(member, encoding="bytes")
    assert SUPERCLASSES[labels[b"fine_labels"]].tolist() == labels[b"coarse_labels"]


def pgm(level: int, size: tuple[int, int] = (92, 112)) -> bytes:
    content = io.BytesIO()
    Image.new("L", size, level).save(content, "PPM")
    return content.getvalue()


def test_the_tenth_image_of_each_face_is_a_test_image(obtain: Obtain) -> None:
    people, numbers = range(1, 41), range(1, 11)
    faces = {f"s{p}/{n}.pgm": pgm(5 * p + n) for p in people for n in numbers}
    source = obtain("att_faces", faces | {"README": b"not wanted"})
    images, labels = read_split("att_faces", source, "train")
    assert images.shape == (360, 1, 112, 92) and images.dtype == np.uint8
    assert labels.tolist() == [*range(40)] * 9
    assert images[:, 0, 50, 50].tolist() == [5 * p + n for n in range(1, 10) for p in people]
    images, labels = read_split("att_faces", source, "test")
    assert labels.tolist() == [*range(40)]
    assert images[:, 0, 0, 0].tolist() == [5 * p + 10 for p in people]


def test_other_faces_than_the_official_ones_are_a_part_at_most(
    mirror: tuple[Path, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")
    folder, url = mirror
    (folder / "att_faces.zip").write_bytes(zipped({"s1/1.pgm": pgm(1)}))
    with pytest.raises(DownloadError, match=r"its 1 files .* list the data set under machine.sub"):
        sources.obtain("att_faces", tmp_path / "att_faces" / "source", [url], retries=RETRIES)


@pytest.mark.parametrize("content", [b"no image", pgm(1, size=(92, 111))])
def test_a_face_that_is_none_is_reported(obtain: Obtain, content: bytes) -> None:
    source = obtain("att_faces", {"s1/1.pgm": content, "s2/1.pgm": pgm(2)})
    with pytest.raises(DataError, match=r"s1/1.pgm: not an image of 92x112 grey pixels"):
        list(chunks.read("att_faces", source, "train"))


def caltech(counts: dict[str, int]) -> Archive:
    """As it is published: a zip file with an archive of class folders, and one of annotations."""
    photographs = {
        f"101_ObjectCategories/{name}/image_{number:04d}.jpg": encoded(number)
        for name, count in counts.items()
        for number in range(1, count + 1)
    }
    photographs["101_ObjectCategories/BACKGROUND_Google/tmp"] = b"not wanted"
    return {
        "caltech-101/101_ObjectCategories.tar.gz": tarred(photographs),
        "caltech-101/Annotations.tar": b"not wanted",
    }


def names(listing: Listing) -> list[str]:
    return ["/".join(Path(listing.name(n)).parts[-2:]) for n in range(len(listing))]


def test_every_fifth_photograph_of_caltech101_is_a_test_image(obtain: Obtain) -> None:
    source = obtain("caltech101", caltech({"BACKGROUND_Google": 6, "ant": 11, "wrench": 5}))
    splits = listings(facts("caltech101"), source, subset=True)
    tests = ["ant/image_0005.jpg", "ant/image_0010.jpg", "wrench/image_0005.jpg"]
    assert names(splits["test"]) == tests and splits["test"].labels.tolist() == [0, 0, 1]
    everything = [f"ant/image_{n:04d}.jpg" for n in range(1, 12)]
    everything += [f"wrench/image_{n:04d}.jpg" for n in range(1, 6)]
    assert sorted(names(splits["train"]) + tests) == everything
    assert splits["test"].read(0) == encoded(5)


def test_too_many_classes_are_not_caltech101(obtain: Obtain) -> None:
    with pytest.raises(DataError, match="102 class folders where 101 were expected"):
        obtain("caltech101", caltech({f"kind{number:03d}": 1 for number in range(102)}))
