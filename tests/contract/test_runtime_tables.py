"""The table of docs/studies/runtimes.md has the milliseconds of the archive that it leads to."""

from pathlib import Path

import pytest
from archive_numbers import Only, Source

DOCUMENT = Path(__file__).parents[2] / "docs" / "studies" / "runtimes.md"
ARCHIVE = "platforms-short/2026-11-30-amd-epyc-2-cores"
DIGITS = {"resnet20-cifar10": ".2f", "vgg16-cifar10": ".1f"}
TITLES = {
    "litert": "LiteRT",
    "tensorflow_lite": "LiteRT, file by TensorFlow",
    "executorch": "ExecuTorch",
    "onnxruntime": "ONNX Runtime",
    "torch_onnx": "ONNX Runtime, file by torch.onnx",
    "openvino": "OpenVINO",
    "litert_js": "LiteRT.js",
    "onnxruntime_web": "ONNX Runtime Web",
    "tensorflow_js": "TensorFlow.js",
}


def milliseconds(framework: str, case: str, precision: str) -> str:
    if (framework, precision) == ("tensorflow_js", "int8-static"):
        return "-"
    source = Source(ARCHIVE, case, "latency_p50", stage="infer", precision=precision)
    return Only(source, framework, DIGITS[case]).written()


@pytest.mark.parametrize("framework", TITLES)
def test_a_row_has_the_medians_of_the_archive(framework: str) -> None:
    cells = [
        " / ".join(milliseconds(framework, case, name) for name in ("float32", "int8-static"))
        for case in DIGITS
    ]
    assert f"| {TITLES[framework]} | {' | '.join(cells)} |" in DOCUMENT.read_text(encoding="utf-8")


IN_BROWSERS = {"litert_js": "litert", "onnxruntime_web": "onnxruntime"}
WITH_STATIC = [name for name in TITLES if name != "tensorflow_js"]


def value(framework: str, metric: str, case: str, precision: str = "float32") -> float:
    source = Source(ARCHIVE, case, metric, stage="infer", precision=precision)
    return Only(source, framework).value()


def times(framework: str, precision: str, other: str, other_precision: str, case: str) -> float:
    """How many times the other's median latency a runtime has."""
    return value(framework, "latency_p50", case, precision) / value(
        other, "latency_p50", case, other_precision
    )


def test_static_int8_predicts_so_many_times_as_fast() -> None:
    gains = {
        name: times(name, "float32", name, "int8-static", "vgg16-cifar10") for name in WITH_STATIC
    }
    of_browsers = sorted(gains.pop(name) for name in IN_BROWSERS)
    assert (
        f"{min(gains.values()):.1f} to {max(gains.values()):.1f} times as fast**, in browsers "
        f"{of_browsers[0]:.1f} and {of_browsers[1]:.1f} times."
    ) in DOCUMENT.read_text(encoding="utf-8")


def test_browsers_take_so_many_times_as_long_as_the_same_runtime_outside() -> None:
    ranges = []
    for precision in ("float32", "int8-static"):
        longer = [
            times(browser, precision, outside, precision, case)
            for browser, outside in IN_BROWSERS.items()
            for case in DIGITS
        ]
        ranges.append(f"{min(longer):.1f} to {max(longer):.1f} times")
    assert (
        f"{ranges[0]} as long as the same runtime outside, {ranges[1]} in static int8."
    ) in DOCUMENT.read_text(encoding="utf-8")


def test_static_int8_changes_accuracies_by_so_many_points() -> None:
    changes = {
        case: [
            value(name, "accuracy_top1", case, "int8-static") - value(name, "accuracy_top1", case)
            for name in WITH_STATIC
        ]
        for case in ("lenet1-mnist", "lenet5-mnist", "resnet20-cifar10")
    }
    of_resnet = changes.pop("resnet20-cifar10")
    assert all(abs(change) < 0.005 for each in changes.values() for change in each)
    assert (
        f"0.00 points in both LeNets, {min(of_resnet):+.2f} to {max(of_resnet):+.2f} in ResNet-20"
    ) in DOCUMENT.read_text(encoding="utf-8")
