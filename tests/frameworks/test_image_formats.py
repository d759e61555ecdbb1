"""What the frameworks themselves read from image files that were stored as they are."""

import json
import os
import subprocess
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import lmdb as database
import numpy as np
import pytest
from conftest import FrameworkEnvironment
from numpy.typing import NDArray
from PIL import Image as Picture

from trainmark.data.formats import cntk, tfrecord
from trainmark.data.write.encoded import Image
from trainmark.study import plugins

READ_BACK = Path(__file__).parent / "read_back"
READERS = [("lmdb", "pytorch"), ("tfrecord", "tensorflow"), ("recordio", "mxnet")]
MAGIC = b"\x0a\x23\xd7\xce"
COUNT = 23


def jpegs() -> list[Image]:
    """JPEG files of many sizes, one grey; all hold RecordIO's magic word, at each alignment."""
    comment = b"".join(MAGIC + bytes(shift) for shift in (0, 1, 1, 1, 1))
    pictures = [picture(20 + number, 30) for number in range(COUNT)]
    pictures[3] = pictures[3].convert("L")
    files = [encoded(picture, "jpeg", comment=comment) for picture in pictures]
    return [Image(file, 40 * number) for number, file in enumerate(files)]


def picture(width: int, height: int) -> Picture.Image:
    waves = np.sin(np.arange(height * width * 3).reshape(height, width, 3) / 50)
    return Picture.fromarray((waves * 120 + 128).astype(np.uint8))


def encoded(picture: Picture.Image, kind: str, **settings: Any) -> bytes:
    file = BytesIO()
    picture.save(file, kind, **settings)
    return file.getvalue()


def pixels(image: Image) -> NDArray[np.float32]:
    """Decoded, as Caffe and CNTK do: (3, H, W), blue, green, red."""
    rgb = np.asarray(Picture.open(BytesIO(image.content)).convert("RGB"), dtype=np.float32)
    return rgb[:, :, ::-1].transpose(2, 0, 1)


def write(folder: Path, format_name: str, images: list[Image]) -> Path:
    """A split in blocks; what a reader is given."""
    writer = plugins.load("format", format_name)
    path = folder / f"train{getattr(writer, 'IMAGE_SUFFIX', writer.SUFFIX)}"
    with writer.ImageWriter(path) as opened:
        for first in range(0, len(images), 7):
            opened.append(images[first : first + 7])
    return path


def read(environment: FrameworkEnvironment, script: str, *arguments: object) -> None:
    command = [environment.python, "-I", READ_BACK / f"images_with_{script}.py", *arguments]
    variables = {**os.environ, **environment.variables}
    done = subprocess.run(
        [str(part) for part in command], env=variables, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(("format_name", "environment"), READERS)
def test_framework_reads_the_same_files_and_labels(
    format_name: str,
    environment: str,
    framework_environment: Callable[[str], FrameworkEnvironment],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tfrecord, "IMAGES_PER_SHARD", 10)
    path = write(tmp_path, format_name, jpegs())

    read(framework_environment(environment), environment, path, tmp_path / "read.json")

    rows = json.loads((tmp_path / "read.json").read_text())
    assert [Image(bytes.fromhex(content), label) for content, label in rows] == jpegs()


def test_caffe_decodes_the_same_pixels(
    framework_environment: Callable[[str], FrameworkEnvironment], tmp_path: Path
) -> None:
    path = write(tmp_path, "lmdb", jpegs())

    read(framework_environment("caffe_train"), "caffe", path, COUNT, tmp_path / "read.npz")

    with np.load(tmp_path / "read.npz") as arrays:
        for number, image in enumerate(jpegs()):
            assert arrays[f"label{number}"] == image.label
            # Decoders of JPEG are not the same to the last bit.
            np.testing.assert_allclose(arrays[f"image{number}"], pixels(image), atol=2)


def test_datums_are_those_of_caffes_own_program(
    framework_environment: Callable[[str], FrameworkEnvironment], tmp_path: Path
) -> None:
    caffe = framework_environment("caffe_train")
    program = caffe.python.parents[1] / "debian" / "usr" / "bin" / "convert_imageset"
    if not program.exists():
        pytest.skip(f"needs {program}")
    for image in jpegs():
        (tmp_path / f"{image.label}.jpg").write_bytes(image.content)
    listed = "".join(f"{image.label}.jpg {image.label}\n" for image in jpegs())
    (tmp_path / "list.txt").write_text(listed)

    command = [program, "--encoded", f"{tmp_path}/", tmp_path / "list.txt", tmp_path / "theirs"]
    subprocess.run(command, env={**os.environ, **caffe.variables}, check=True, capture_output=True)

    ours = write(tmp_path, "lmdb", jpegs())
    assert values(ours) == values(tmp_path / "theirs")


def values(path: Path) -> list[bytes]:
    with database.open(str(path), readonly=True, lock=False) as environment:
        return [value for _, value in environment.begin().cursor()]


def test_cntk_reads_image_files_in_archives(
    framework_environment: Callable[[str], FrameworkEnvironment],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The files are PNG here: the environment that is made on Linux of today decodes no JPEG."""
    monkeypatch.setattr(cntk, "FILES_PER_ARCHIVE", 10)
    pictures = [picture(20, 30).rotate(number) for number in range(COUNT)]
    files = [encoded(picture, "png") for picture in pictures]
    images = [Image(file, 40 * number) for number, file in enumerate(files)]
    path = write(tmp_path, "cntk", images)

    read(framework_environment("cntk"), "cntk", path, tmp_path / "read.npz")

    with np.load(tmp_path / "read.npz") as arrays:
        assert arrays["labels"].tolist() == [image.label for image in images]
        np.testing.assert_array_equal(arrays["images"], np.stack(list(map(pixels, images))))
