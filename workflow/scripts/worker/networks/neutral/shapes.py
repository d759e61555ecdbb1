"""Shapes of layers, without the batch: windows that fit, numbers of elements, text."""

from typing import Any, Dict, List, Sequence, Tuple

import numpy

from worker.arrays import Shape


class WrongShape(ValueError):
    """A layer's input has an unsuitable shape, or the last layer doesn't give logits."""


class TooSmall(WrongShape):
    """The window of a convolution or pooling doesn't fit into the image."""


def room(name: str, shape: Shape, kernel: int, padding: int = 0) -> List[int]:
    """The number of pixels by which a layer's window can move down, and right, over an image.

    shape: the image's; name: the layer's, for the message. Raises TooSmall if no window fits.
    """
    pixels = [size + 2 * padding - kernel for size in shape[1:]]
    if min(pixels, default=0) < 0:  # the default is for a vector, which has no pixels
        needed = kernel - 2 * padding
        sides = "{}x{}".format(*shape[1:])
        raise TooSmall(f"layer {name} needs {needed} pixels a side, it gets {sides}")
    return pixels


def windows(
    name: str, shape: Shape, kernel: int, stride: int, padding: int = 0, partial: bool = False
) -> Tuple[Shape, Shape]:
    """The number of a pooling's windows, down and right, and the overhang of the last windows.

    Windows that don't fit are left out. With `partial` they are kept, and reach over the bottom and
    the right edge by the overhang.
    """
    rooms = room(name, shape, kernel, padding)
    steps = [size // stride for size in rooms]
    if partial:  # each window begins within the image
        edges = (size + padding - 1 for size in shape[1:])
        steps = [min(-(-size // stride), edge // stride) for size, edge in zip(rooms, edges)]
    overhang = tuple(max(0, n * stride - size) for n, size in zip(steps, rooms))
    return tuple(n + 1 for n in steps), overhang


def same_margins(settings: Dict[str, Any], size: int) -> Tuple[int, int]:
    """The pixels that TensorFlow's padding SAME adds before and after a side of that size."""
    kernel, stride = settings["kernel"], settings["stride"]
    total = max(0, kernel - (size % stride or stride))
    return total // 2, total - total // 2


def pixels_inside(settings: Dict[str, Any], counts: Sequence[int]) -> numpy.ndarray:
    """The number of pixels within the image of each window of an average pooling.

    settings: the layer's; counts: the number of windows down and right, which is also the result's
    shape.
    """
    kernel, stride = settings["kernel"], settings["stride"]
    sides = []
    for count, over in zip(counts, settings["overhang"]):
        begins = stride * numpy.arange(count)
        sides.append(numpy.minimum(kernel, begins[-1] + kernel - over - begins))
    return numpy.outer(*sides)


def size_of(shape: Shape) -> int:
    """The number of elements of a tensor of this shape."""
    count = 1
    for size in shape:
        count *= size
    return count


def text_of(shape: Shape) -> str:
    """A shape as text, "3x32x32"."""
    return "x".join(map(str, shape))
