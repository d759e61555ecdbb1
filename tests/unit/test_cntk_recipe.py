"""The stand-ins for CNTK's system libraries: PNG images are read, all else is reported by name."""

import ctypes
import shutil
import struct
import subprocess
import sys
import zlib
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from PIL import Image

from trainmark.data.write import png
from trainmark.environments import Unavailable
from trainmark.environments.recipes import cntk

PNG = next(stand_in for stand_in in cntk.STAND_INS if stand_in.library.startswith("libpng"))
UNDEFINED = """
libopencv_imgcodecs.so.3.1:
                 U memcpy@GLIBC_2.14
                 U png_read_image@PNG12_0
                 U png_write_info@PNG12_0
                 U jas_init
"""
GREY, RGB = 0, 2


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if shutil.which("gcc") is None:
        pytest.skip("needs gcc")
    folder = tmp_path_factory.mktemp("libraries")
    cntk.make(PNG, UNDEFINED, folder)
    return folder / PNG.library


def encoded(width: int, colour: int, lines: bytes, parts: int = 1) -> bytes:
    """A PNG file of these lines, each behind its filter, in several chunks of compressed bytes."""
    height = len(lines) // (1 + width * (3 if colour == RGB else 1))
    header = struct.pack(">IIBBBBB", width, height, 8, colour, 0, 0, 0)
    packed = zlib.compress(lines)
    size = -(-len(packed) // parts)
    chunks = [(b"IHDR", header), (b"tEXt", b"Title\0a" + bytes(5000))]
    chunks += [(b"IDAT", packed[at : at + size]) for at in range(0, len(packed), size)]
    file = png.SIGNATURE
    for kind, content in [*chunks, (b"IEND", b"")]:
        checksum = zlib.crc32(kind + content)
        file += struct.pack(">I", len(content)) + kind + content + struct.pack(">I", checksum)
    return file


def decoded(library: Path, file: bytes, wanted: str) -> NDArray[np.uint8]:
    """Pixels (H, W, channels) read by the calls that OpenCV makes; wanted: "grey" or "bgr"."""
    functions = ctypes.CDLL(str(library))
    functions.png_create_read_struct.restype = ctypes.c_void_p
    image = ctypes.c_void_p(functions.png_create_read_struct(None, None, None, None))
    source = BytesIO(file)

    @ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)
    def read(_: int, to: int, size: int) -> None:
        ctypes.memmove(to, source.read(size), size)

    functions.png_set_read_fn(image, None, read)
    functions.png_read_info(image, image)
    width, height, depth, colour = (ctypes.c_uint() for _ in range(4))
    header = [ctypes.byref(number) for number in (width, height, depth, colour)]
    functions.png_get_IHDR(image, image, *header, None, None, None)
    if wanted == "grey":
        functions.png_set_rgb_to_gray(image, 1, ctypes.c_double(0.299), ctypes.c_double(0.587))
    elif colour.value == GREY:
        functions.png_set_gray_to_rgb(image)
    else:
        functions.png_set_bgr(image)
    pixels = np.zeros((height.value, width.value, 1 if wanted == "grey" else 3), dtype=np.uint8)
    rows = (ctypes.c_void_p * height.value)(*(row.ctypes.data for row in pixels))
    functions.png_read_image(image, rows)
    functions.png_destroy_read_struct(ctypes.byref(image), None, None)
    return pixels


@settings(max_examples=100)
@given(
    width=st.integers(1, 9),
    colour=st.sampled_from([GREY, RGB]),
    filters=st.lists(st.integers(0, 4), min_size=1, max_size=9),
    parts=st.integers(1, 3),
    seed=st.integers(0, 9),
)
def test_every_filter_is_undone(
    library: Path, width: int, colour: int, filters: list[int], parts: int, seed: int
) -> None:
    size = (len(filters), width * (3 if colour == RGB else 1))
    lines = np.random.default_rng(seed).integers(256, size=size, dtype=np.uint8)
    joined = np.column_stack([np.array(filters, dtype=np.uint8), lines]).tobytes()
    file = encoded(width, colour, joined, parts)

    pixels = decoded(library, file, "bgr")

    expected = np.asarray(Image.open(BytesIO(file)).convert("RGB"))
    np.testing.assert_array_equal(pixels, expected[:, :, ::-1])


def test_grey_stays_grey_and_colours_become_grey(library: Path) -> None:
    grey = np.arange(256, dtype=np.uint8).reshape(1, 1, 16, 16)
    rgb = np.random.default_rng(0).integers(256, size=(1, 3, 20, 30), dtype=np.uint8)

    grey_pixels, rgb_pixels = (
        decoded(library, png.stored(images)[0].tobytes(), "grey")[:, :, 0] for images in (grey, rgb)
    )

    np.testing.assert_array_equal(grey_pixels, grey[0, 0])
    luminance = np.tensordot([0.299, 0.587, 0.114], rgb[0], axes=1)
    np.testing.assert_allclose(rgb_pixels, luminance, atol=0.51)


def test_what_does_not_work_ends_the_process_and_is_named(library: Path) -> None:
    program = f"import ctypes; ctypes.CDLL({str(library)!r}).png_write_info()"
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)

    assert ended.returncode < 0
    assert "png_write_info: CNTK needs it of libpng12.so.0, which is only a stand" in ended.stderr


def test_a_library_is_found_by_its_old_name_too(library: Path, tmp_path: Path) -> None:
    old = tmp_path / "libpng.so.old"
    cntk.rename(library, old)
    program = f"import ctypes; ctypes.CDLL({str(old)!r}).png_create_read_struct"
    subprocess.run([sys.executable, "-c", program], check=True)  # where none is loaded yet


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
def test_only_the_functions_of_a_library_are_made(tmp_path: Path) -> None:
    jasper = next(stand_in for stand_in in cntk.STAND_INS if stand_in.prefixes == "jas_")
    cntk.make(jasper, UNDEFINED, tmp_path)
    functions = ctypes.CDLL(str(tmp_path / jasper.library))
    assert functions.jas_init() == 0  # does nothing
    assert not hasattr(functions, "png_read_image")


@pytest.mark.parametrize("missing", ["gcc", "nm"])
def test_a_missing_tool_is_named(
    missing: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / ({"gcc", "nm"} - {missing}).pop()
    other.touch(mode=0o755)
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(Unavailable, match=rf"^{missing} .*: install what is missing$"):
        cntk.build(tmp_path / "bin" / "python", tmp_path, tmp_path)
