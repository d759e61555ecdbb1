"""Tables of docs/studies/latency.md have the milliseconds of the archives that it leads to."""

from pathlib import Path

import pytest
from archive_numbers import TITLES, Only, RangeOfHost, Source

DOCUMENT = Path(__file__).parents[2] / "docs" / "studies" / "latency.md"
ARCHIVE = "latency-short/2026-11-28-intel-r-xeon-r-processor-2-cores"
BY_AMX = f"{ARCHIVE}-2"
"""MXNet in bfloat16, since it computes that by AMX."""
CASES = ("vgg16", "resnet152", "densenet161")
STAGES = ("infer", "gradients")


def milliseconds(framework: str, precision: str, case: str, stage: str) -> Only:
    archive = BY_AMX if (framework, precision) == ("mxnet", "bfloat16") else ARCHIVE
    source = Source(archive, case, "latency_mean", stage=stage, precision=precision)
    return Only(source, framework)


def with_gain(framework: str, case: str, stage: str) -> str:
    narrow, wide = (milliseconds(framework, name, case, stage) for name in ("bfloat16", "float32"))
    return f"{narrow.written()} ({wide.value() / narrow.value():.2f})"


@pytest.mark.parametrize("framework", TITLES)
def test_a_row_of_float32_has_the_numbers_of_the_archive(framework: str) -> None:
    cells = [
        " / ".join(milliseconds(framework, "float32", case, stage).written() for stage in STAGES)
        for case in CASES
    ]
    assert f"| {TITLES[framework]} | {' | '.join(cells)} |" in DOCUMENT.read_text(encoding="utf-8")


@pytest.mark.parametrize("framework", ["mxnet", "tensorflow", "pytorch", "jax"])
def test_a_row_of_bfloat16_has_them_with_the_gain(framework: str) -> None:
    cells = [" / ".join(with_gain(framework, case, stage) for stage in STAGES) for case in CASES]
    assert f"| {TITLES[framework]} | {' | '.join(cells)} |" in DOCUMENT.read_text(encoding="utf-8")


def test_the_machines_own_speed_is_that_before_the_runs() -> None:
    written = f"from {RangeOfHost(ARCHIVE).written()} GFLOP/s"
    assert written in DOCUMENT.read_text(encoding="utf-8")
