"""Shapes of layers, without the batch: what fits, what doesn't, and how they are told."""

from typing import List

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


def size_of(shape: Shape) -> int:
    """The number of elements."""
    count = 1
    for size in shape:
        count *= size
    return count


def told(shape: Shape) -> str:
    """A shape in an error's words, as 3x32x32."""
    return "x".join(map(str, shape))
