"""Which adapters do what, by what stands at the top of their files, and pairs that tests try."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from trainmark.study import plugins, stages

ALL = plugins.names("framework")
OWN_LOOPS = [name for name in ALL if plugins.facts("framework", name).get("STAGES") == ("train",)]
"""Those that train by their framework's own loop, and have all else from another adapter."""
TRAINING = [name for name in ALL if stages.has(name, "train") and name not in OWN_LOOPS]
RUNTIMES = [n for n in ALL if not stages.has(n, "train") and stages.is_available(n)]
ON_SEVERAL_DEVICES = [name for name in TRAINING if plugins.facts("framework", name).get("SEVERAL")]
ON_SEVERAL_NODES = [n for n in ON_SEVERAL_DEVICES if plugins.facts("framework", n).get("NODES")]
ON_ONE_DEVICE = [name for name in TRAINING if name not in ON_SEVERAL_DEVICES]

AVX512 = pytest.mark.skipif(
    "avx512bw" not in Path("/proc/cpuinfo").read_text(),
    reason="MXNet's bfloat16 needs a processor with AVX-512",
)


def precisions_on_cpu(adapter: str) -> tuple[str, ...]:
    """The precisions that an adapter computes in on a processor."""
    precisions: dict[str, tuple[str, ...]] = plugins.facts("framework", adapter).get(
        "PRECISIONS", {"cpu": ("float32",)}
    )
    return precisions["cpu"]


def needs(adapter: str, precision: str) -> list[pytest.MarkDecorator]:
    """Marks that skip where the processor lacks what a precision needs."""
    return [AVX512] if (adapter, precision) == ("mxnet", "bfloat16") else []


def every(
    nth: int, rows: list[str], columns: list[str], everywhere: tuple[str, ...] = ()
) -> Callable[[str, str], bool]:
    """Whether `make test` has a pair: of each row every nth column, from another one on in each.

    And the columns that each row has to have. `make test-all` has all pairs.
    """
    numbers = {name: number for names in (rows, columns) for number, name in enumerate(names)}
    return lambda row, column: column in everywhere or (numbers[row] + numbers[column]) % nth == 1


def params(tried: list[tuple[Any, ...]], is_chosen: Callable[..., bool]) -> list[Any]:
    """What is tried as parameters, marked as `whole` where `make test` leaves them out."""
    return [
        pytest.param(*each, marks=() if is_chosen(*each) else pytest.mark.whole) for each in tried
    ]


def every_nth(nth: int, names: list[str]) -> list[Any]:
    """Adapters as parameters, of which `make test` has every nth."""
    return params([(name,) for name in names], lambda name: names.index(name) % nth == 0)
