"""Shapes of layers, without the batch: what fits, what doesn't, and how they are told."""

from typing import Any, Dict, List, Sequence, Tuple

import numpy

from worker.arrays import Shape


class WrongShape(ValueError):
    """A layer that can't take the shape it is given, or a last one that doesn't give logits."""


class TooSmall(WrongShape):
    """An image so small that a convolution or pooling window doesn't fit into it."""


def room(name: str, shape: Shape, kernel: int, padding: int = 0) -> List[int]:
    """How far a layer's window can move down and right over an image of that shape.

    Raises TooSmall where there's no place for a window.
    """
    found = [size + 2 * padding - kernel for size in shape[1:]]
    if min(found, default=0) < 0:  # of a vector there is none
        needed = kernel - 2 * padding
        given = "{}x{}".format(*shape[1:])
        raise TooSmall(f"layer {name} needs {needed} pixels a side, it gets {given}")
    return found


def windows(
    name: str, shape: Shape, kernel: int, stride: int, padding: int = 0, partial: bool = False
) -> Tuple[Shape, Shape]:
    """How many windows a pooling has, down and right, and by how much the last ones overhang.

    Windows that don't fit are left out, or with `partial` reach over the bottom and the right edge.
    """
    rooms = room(name, shape, kernel, padding)
    steps = [size // stride for size in rooms]
    if partial:  # as far as a window begins within the image
        edges = (size + padding - 1 for size in shape[1:])
        steps = [min(-(-size // stride), edge // stride) for size, edge in zip(rooms, edges)]
    overhang = tuple(max(0, n * stride - size) for n, size in zip(steps, rooms))
    return tuple(n + 1 for n in steps), overhang


def pixels_inside(settings: Dict[str, Any], places: Sequence[int]) -> numpy.ndarray:
    """The number of pixels that each window of an average pooling has within the image.

    An array of the windows' places, (down, right), for the settings of a layer.
    """
    kernel, stride = settings["kernel"], settings["stride"]
    sides = []
    for count, over in zip(places, settings["overhang"]):
        begins = stride * numpy.arange(count)
        sides.append(numpy.minimum(kernel, begins[-1] + kernel - over - begins))
    return numpy.outer(*sides)


def size_of(shape: Shape) -> int:
    """The number of elements."""
    count = 1
    for size in shape:
        count *= size
    return count


def told(shape: Shape) -> str:
    """A shape in an error's words, as 3x32x32."""
    return "x".join(map(str, shape))
