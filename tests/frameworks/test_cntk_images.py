"""CNTK reads PNG and JPEG files of other programs, and names those that it can't read."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

PROGRAM = """
import sys, cntk
streams = cntk.io.StreamDefs(image=cntk.io.StreamDef(field="image", transforms=[]))
source = cntk.io.MinibatchSource(cntk.io.ImageDeserializer(sys.argv[1], streams), randomize=False)
image = source.next_minibatch(1)[source.streams.image].asarray()
image[0, 0].tofile(sys.argv[2])
"""


@pytest.fixture
def read(framework_python: Callable[[str], Path], tmp_path: Path) -> Callable[[], str]:
    """Have CNTK read image.png to the floats in the file `pixels`; gives what it printed."""
    python = framework_python("cntk")
    (tmp_path / "map.txt").write_text(".../image.png\t0\n")

    def run() -> str:
        arguments = (python, "-I", "-c", PROGRAM, tmp_path / "map.txt", tmp_path / "pixels")
        return subprocess.run(arguments, capture_output=True, text=True).stderr

    return run


def smooth_image() -> Image.Image:
    """An image for whose lines encoders choose several filters."""
    waves = np.sin(np.arange(40 * 30 * 3).reshape(40, 30, 3) / 50)
    return Image.fromarray((waves * 120 + 128).astype(np.uint8))


def test_compressed_and_filtered_images_are_read(read: Callable[[], str], tmp_path: Path) -> None:
    smooth_image().save(tmp_path / "image.png", optimize=True)

    printed = read()

    pixels = np.fromfile(tmp_path / "pixels", dtype=np.float32).reshape(3, 40, 30)
    assert "Error" not in printed
    np.testing.assert_array_equal(pixels[::-1], np.asarray(smooth_image()).transpose(2, 0, 1))


@pytest.mark.parametrize("mode", ["RGB", "L"])
def test_jpeg_images_are_read_as_pillow_reads_them(
    mode: str, read: Callable[[], str], tmp_path: Path
) -> None:
    smooth_image().convert(mode).save(tmp_path / "image.png", format="jpeg")

    printed = read()

    pixels = np.fromfile(tmp_path / "pixels", dtype=np.float32).reshape(3, 40, 30)
    expected = np.asarray(Image.open(tmp_path / "image.png").convert("RGB"))
    assert "Error" not in printed
    np.testing.assert_array_equal(pixels[::-1], expected.transpose(2, 0, 1))


def test_a_damaged_image_is_named(read: Callable[[], str], tmp_path: Path) -> None:
    path = tmp_path / "image.png"
    smooth_image().save(path)
    content = bytearray(path.read_bytes())
    content[200] ^= 0xFF
    path.write_bytes(content)

    printed = read()

    assert "PNG: the pixels are damaged\n" in printed
    assert "RuntimeError: Cannot open file '.../image.png'" in printed


def test_other_image_formats_are_refused_by_name(read: Callable[[], str], tmp_path: Path) -> None:
    smooth_image().save(tmp_path / "image.png", format="tiff")

    assert "of libtiff.so.5, which is only a stand-in in this environment" in read()
