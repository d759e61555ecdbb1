"""What the frameworks themselves read from the files: the same pixels and labels."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from trainmark.data.formats import cntk
from trainmark.data.read.chunks import Chunk
from trainmark.study import plugins
from trainmark.study.plugins import SCRIPTS

READ_BACK = Path(__file__).parent / "read_back"
READERS = [
    ("lmdb", "pytorch"),
    ("tfrecord", "tensorflow"),
    ("tfrecord", "jax"),
    ("recordio", "mxnet"),
    ("cntk", "cntk"),
]
IMAGES = {
    "grey": ((1, 28, 28), 10),
    "odd sizes and many classes": ((3, 13, 9), 300),
    "more than one stored block and than OpenCV reads of a line": ((3, 224, 224), 1000),
}
COUNT = 130


def example_images(shape: tuple[int, int, int], classes: int) -> Chunk:
    """Random images, some of which hold RecordIO's magic word at every place."""
    random = np.random.default_rng(1)
    images = random.integers(256, size=(COUNT, *shape), dtype=np.uint8)
    magic = np.frombuffer(b"\x0a\x23\xd7\xce", dtype=np.uint8)
    images[::40] = np.resize(magic, shape[1:]).reshape(shape[1:])
    return images, random.integers(classes, size=COUNT)


def write_test_split(
    folder: Path, format_name: str, images: NDArray[np.uint8], labels: NDArray[np.int64]
) -> None:
    """A folder like that of a converted data set, in two chunks and with a test split only."""
    writer = plugins.load("format", format_name)
    path = folder / f"test{writer.SUFFIX}"
    shape = images.shape[1:]
    writer.write([(images[:100], labels[:100]), (images[100:], labels[100:])], path, shape)
    splits = {"test": {"count": len(images), "path": path.name}}
    mean = images.mean(axis=(0, 2, 3)).tolist()
    index = {"image_shape": shape, "mean": mean, "splits": splits}
    (folder / "dataset.json").write_text(json.dumps(index))
    if hasattr(writer, "finish"):
        writer.finish(folder, index)


@pytest.mark.parametrize(("format_name", "environment"), READERS)
def test_framework_reads_equal_pixels_and_labels(
    format_name: str,
    environment: str,
    framework_python: Callable[[str], Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cntk, "IMAGES_PER_ARCHIVE", 40)
    python = framework_python(environment)
    written = {tmp_path / name: example_images(*kind) for name, kind in IMAGES.items()}
    for folder, (images, labels) in written.items():
        folder.mkdir()
        write_test_split(folder, format_name, images, labels)

    script = READ_BACK / f"with_{environment}.py"
    command = [str(argument) for argument in (python, "-I", script, SCRIPTS, *written)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr
    for folder, (images, labels) in written.items():
        with np.load(folder / "read.npz") as read:
            np.testing.assert_array_equal(read["images"], images)
            np.testing.assert_array_equal(read["labels"], labels)
