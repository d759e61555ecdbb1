"""Figures as a page holds them: their files compressed, unpacked by the browser."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

from trainmark.report.page import packing

SVG = "{http://www.w3.org/2000/svg}"
PIXELS_PER_POINT = 4 / 3


class Packed(NamedTuple):
    """A figure: the name of its files, its title, its size in pixels, and its files compressed."""

    name: str
    title: str
    width: int
    height: int
    files: dict[str, str]


def packed(drawings: Iterable[Path]) -> Iterator[Packed]:
    """The figures of these SVG files, which have what they show as a CSV file beside them."""
    for drawing in drawings:
        image = ElementTree.parse(drawing).getroot()
        width, height = (_pixels(image.attrib[side]) for side in ("width", "height"))
        beside = {kind: drawing.with_suffix(f".{kind}") for kind in ("svg", "csv")}
        files = {kind: packing.packed(path.read_bytes()) for kind, path in beside.items()}
        title = image.findtext(f"{SVG}title", default=drawing.stem)
        yield Packed(_name(drawing), title, width, height, files)


def _name(drawing: Path) -> str:
    """The file's name; of a chart, its case and the file's name."""
    folder, name = drawing.parent.name, drawing.stem
    return name if folder in (name, "figures") else f"{folder}-{name}"


def _pixels(points: str) -> int:
    return round(float(points.removesuffix("pt")) * PIXELS_PER_POINT)
