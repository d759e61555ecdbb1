"""Image files on their way into a format: untouched where all can read them, else JPEG anew."""

import io
from pathlib import Path

import numpy as np
import pytest
from pictures import encoded
from PIL import Image

from trainmark.data.errors import DataError
from trainmark.data.read import jpeg
from trainmark.data.read.images import Files, rows
from trainmark.data.write.encoded import BLOCK_IMAGES, prepare, prepared


def opened(content: bytes) -> Image.Image:
    image = Image.open(io.BytesIO(content))
    image.load()
    return image


def pixels(content: bytes) -> np.ndarray:
    return np.asarray(opened(content).convert("RGB"), dtype=np.int64)


def test_the_header_of_real_images(imagenet_samples: Path) -> None:
    for path in imagenet_samples.rglob("*.JPEG"):
        content = path.read_bytes()
        image = Image.open(path)
        expected = (image.height, image.width, len(image.getbands()), True)
        assert jpeg.header(content) == expected, path


def test_a_thumbnail_in_the_header_is_passed_over() -> None:
    thumbnail, image = encoded(1, size=(8, 6)), encoded(2)
    segment = b"\xff\xe1" + (2 + len(thumbnail)).to_bytes(2, "big") + thumbnail
    with_thumbnail = image[:2] + segment + image[2:]
    assert jpeg.header(with_thumbnail) == (30, 40, 3, True)
    cut = jpeg.header(with_thumbnail[:-100])
    assert cut is not None and not cut.complete


@pytest.mark.parametrize("content", [b"", b"\xff\xd8", b"\xff\xd8\xff", bytes(100), b"\x89PNG"])
def test_no_header_in_what_is_no_jpeg_file(content: bytes) -> None:
    assert jpeg.header(content) is None


def test_a_header_may_end_anywhere() -> None:
    image = encoded()
    for end in range(len(image)):
        header = jpeg.header(image[:end])
        assert header is None or not header.complete


@pytest.mark.parametrize(("mode", "kind"), [("RGB", None), ("L", "grey")])
def test_colour_and_grey_stay_untouched(mode: str, kind: str | None) -> None:
    image = encoded(mode=mode)
    assert prepare(image) == (image, kind)
    assert prepare(image + b"trailing") == (image + b"trailing", kind)


@pytest.mark.parametrize(
    ("image", "kind"),
    [
        (encoded(mode="CMYK"), "cmyk"),
        (encoded(form="PNG"), "not_jpeg"),
        (encoded(mode="RGBA", form="PNG"), "not_jpeg"),
        (encoded(mode="L", form="GIF"), "not_jpeg"),
        (encoded(form="WEBP"), "not_jpeg"),
    ],
)
def test_others_become_colour_jpeg(image: bytes, kind: str) -> None:
    content, original_kind = prepare(image)
    assert original_kind == kind
    assert jpeg.header(content) == (30, 40, 3, True)
    assert np.abs(pixels(content) - pixels(image)).mean() < 3


def test_of_a_truncated_image_the_beginning_is_kept() -> None:
    whole = encoded(size=(400, 300))
    content, kind = prepare(whole[: len(whole) * 3 // 4])
    assert kind == "truncated"
    assert jpeg.header(content) == (300, 400, 3, True)
    assert np.abs(pixels(content) - pixels(whole))[:100].mean() < 3


@pytest.mark.parametrize(
    ("size", "resized"),
    [
        ((500, 375), (341, 256)),
        ((375, 500), (256, 341)),
        ((3000, 2000), (384, 256)),
        ((100, 50), (512, 256)),
        ((300, 300), (256, 256)),
    ],
)
def test_the_shorter_side_gets_its_length(size: tuple[int, int], resized: tuple[int, int]) -> None:
    image = encoded(size=size)
    content, kind = prepare(image, short_side=256)
    assert kind is None and opened(content).size == resized
    expected = Image.fromarray(pixels(image).astype(np.uint8)).resize(resized)
    assert np.abs(pixels(content) - np.asarray(expected, dtype=np.int64)).mean() < 3


@pytest.mark.parametrize("mode", ["RGB", "L"])
def test_an_image_of_that_side_stays_untouched(mode: str) -> None:
    image = encoded(mode=mode, size=(300, 256))
    assert prepare(image, short_side=256)[0] == image


def test_a_resized_odd_image_is_counted_and_colour() -> None:
    content, kind = prepare(encoded(mode="L"), short_side=64)
    assert kind == "grey" and opened(content).mode == "RGB" and opened(content).size == (85, 64)


@pytest.fixture
def some(tmp_path: Path) -> Files:
    """A few blocks of images, the number of each being its label."""
    count = 3 * BLOCK_IMAGES + 5
    for number in range(count):
        mode = "L" if number % 10 == 0 else "RGB"
        (tmp_path / f"{number}.jpg").write_bytes(encoded(number, mode))
    sizes = [(tmp_path / f"{number}.jpg").stat().st_size for number in range(count)]
    return Files(tmp_path, rows([(b"%d.jpg" % n, size, n, 0, 0) for n, size in enumerate(sizes)]))


@pytest.mark.parametrize("short_side", [None, 16])
@pytest.mark.parametrize("first", [0, 7, BLOCK_IMAGES, 3 * BLOCK_IMAGES + 5])
def test_all_come_in_order_from_any_number_on(
    some: Files, first: int, short_side: int | None
) -> None:
    blocks = list(prepared(some, first, short_side))
    images = [image for block in blocks for image in block.images]
    assert [image.label for image in images] == list(range(first, len(some)))
    assert images == [
        (prepare(some.read(number), short_side)[0], number) for number in range(first, len(some))
    ]
    odd = [pair for block in blocks for pair in block.odd]
    assert odd == [
        (number, "grey") for number in range(len(some)) if number % 10 == 0 <= number - first
    ]


def test_what_is_no_image_is_named(tmp_path: Path) -> None:
    (tmp_path / "garbage.jpg").write_bytes(b"garbage")
    listing = Files(tmp_path, rows([(b"garbage.jpg", 7, 0, 0, 0)]))
    with pytest.raises(
        DataError, match=r"garbage\.jpg: no image that can be decoded; fetch it anew"
    ):
        list(prepared(listing, 0, None))


def test_a_jpeg_file_cut_in_its_header_is_named(tmp_path: Path) -> None:
    (tmp_path / "cut.jpg").write_bytes(encoded()[:300])
    listing = Files(tmp_path, rows([(b"cut.jpg", 300, 0, 0, 0)]))
    with pytest.raises(DataError, match=r"cut\.jpg: no image that can be decoded"):
        list(prepared(listing, 0, None))


def test_an_image_that_changed_is_named(tmp_path: Path) -> None:
    (tmp_path / "image.jpg").write_bytes(encoded())
    listing = Files(tmp_path, rows([(b"image.jpg", 7, 0, 0, 0)]))
    with pytest.raises(DataError, match=r"image\.jpg: isn't as long as when it was listed"):
        list(prepared(listing, 0, None))


def test_sixteen_bits_of_grey_become_eight() -> None:
    levels = np.linspace(0, 65535, 40 * 30).reshape(30, 40).astype(np.uint16)
    content = io.BytesIO()
    Image.fromarray(levels).save(content, "PNG")
    stored, kind = prepare(content.getvalue())
    assert kind == "not_jpeg"
    assert np.abs(pixels(stored)[..., 0] - levels / 256.0).max() < 4
