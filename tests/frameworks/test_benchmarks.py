"""Benchmarks run to their end, as short as they can be made, and print their numbers."""

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest
from examples import DEVICE

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
NUMBER = r"[\d,.]+"


def printed(script: str, *arguments: str) -> str:
    command = [sys.executable, BENCHMARKS / f"{script}.py", *arguments]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize(
    ("script", "arguments", "pattern"),
    [
        pytest.param(
            "adapters",
            ("pytorch", "--rounds", "1", "--networks", "lenet"),
            rf"pytorch +lenet +{NUMBER} +{NUMBER} +{NUMBER}",
            marks=pytest.mark.whole,
        ),
        (
            "adapters",
            ("tensorflow", "--stage", "infer", "--rounds", "1", "--networks", "lenet"),
            rf"tensorflow +lenet +{NUMBER} +{NUMBER} +{NUMBER}",
        ),
        pytest.param(
            "schedules",
            ("tensorflow", "--rounds", "1"),
            rf"tensorflow +lenet +{NUMBER} +{NUMBER} +{NUMBER}",
            marks=pytest.mark.whole,
        ),
        (
            "monitor",
            ("--framework", "numpy", "--seconds", "4"),
            rf"lost to sampling, a run's: -?{NUMBER} %",
        ),
        (
            "quiet",
            ("--framework", "numpy", "--disturbed", "1", "--steps", "8", "--wait-seconds", "0"),
            r"with a burner: [01] of 1 caught and repeated",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_benchmark_of_training_ends_with_its_numbers(
    framework_python: Callable[[str], Path], script: str, arguments: tuple[str, ...], pattern: str
) -> None:
    for name in ("pytorch", "tensorflow", "numpy"):
        if name in arguments:
            framework_python(name)  # skips where it isn't built
    machine = ("--threads", "1", "--device", DEVICE if "numpy" not in arguments else "cpu")
    assert re.search(pattern, printed(script, *arguments, *machine))


@pytest.mark.whole
def test_the_benchmark_of_formats_compares_what_is_there() -> None:
    assert "TFRecord, MNIST" in printed("formats", "--rounds", "1")


@pytest.mark.parametrize(
    "comparison",
    ["lmdb", *(pytest.param(name, marks=pytest.mark.whole) for name in ("recordio", "resize"))],
)
def test_the_benchmark_of_images_tells_speed_and_memory(comparison: str) -> None:
    output = printed("images", comparison, "--rounds", "1", "--images", "200")
    assert re.search(rf"ours +{NUMBER} images/s .* peak memory {NUMBER} MB", output)


@pytest.mark.whole
def test_the_benchmark_of_the_workflow_tells_what_it_costs() -> None:
    output = printed("workflow", "--sizes", "9", "--rounds", "1")
    assert re.search(rf"dry run of 9 runs: {NUMBER} s", output)


def test_the_benchmark_of_overhead_tells_what_a_run_takes_beyond_its_worker() -> None:
    output = printed("overhead", "--runs", "3")
    assert re.search(rf"overhead of a run beyond its worker: -?{NUMBER} s", output)


def test_the_benchmark_of_intervals_holds_ways_to_compare_against_each_other(
    recorded: pd.DataFrame, tmp_path: Path
) -> None:
    recorded.to_csv(tmp_path / "measurements.csv", index=False)
    output = printed("intervals", str(tmp_path / "measurements.csv"), "--repeats", "2")
    for way in ("welch", "paired", "pooled"):
        assert re.search(rf"lenet-digits +2 +{way} +{NUMBER} ", output)


@pytest.mark.whole
def test_the_benchmark_of_forecasts_tells_how_near_each_archives_comes() -> None:
    output = printed("forecast", "learning-short")
    (line,) = [line for line in output.splitlines() if line.startswith("learning-short/2026-11-29")]
    assert re.fullmatch(rf"\S+ +24 +\d+ +{NUMBER} \w+ +{NUMBER} \w+ +{NUMBER}", line)


def test_the_benchmark_of_the_page_opens_it(framework_python: Callable[[str], Path]) -> None:
    framework_python("onnxruntime_web")
    output = printed("pages", "--rounds", "1", "--runs", "6")
    assert re.search(rf"6 runs: {NUMBER} MB, made in {NUMBER} s, open in {NUMBER} s", output)


def test_the_benchmark_of_parity_passes_right_work_and_tells_mutants() -> None:
    assert "{'passed': 2}" in printed("parity", "settings", "--count", "2", "--named", "0")
    output = printed("parity", "mutants", "--networks", "lenet")
    assert re.search(rf"lenet +momentum x 0.889 +{NUMBER} momentum", output)
