"""Any vendor's GPUs, here those of an invented one beside NVIDIA's."""

import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from trainmark.machine import gpu
from trainmark.study import builds
from worker import devices

COUNT = 2


def example_gpu(number: int) -> SimpleNamespace:
    return SimpleNamespace(kind="example", uuid=f"E-{number}")


@pytest.fixture(autouse=True)
def example(monkeypatch: pytest.MonkeyPatch) -> None:
    """A vendor whose two GPUs are in this machine, while there are none of NVIDIA's."""
    vendor = SimpleNamespace(
        find=lambda: [example_gpu(number) for number in range(COUNT)],
        visible=list,
        why_unreadable=lambda: None,
        VISIBLE=("EXAMPLE_VISIBLE",),
        worker_variables=lambda gpus: {"SEEN": " ".join(each.uuid for each in gpus)},
    )
    monkeypatch.setitem(devices.GPUS, "example", "example")
    monkeypatch.setitem(sys.modules, "trainmark.machine.gpu.example", vendor)
    monkeypatch.setattr(gpu.vendor("cuda"), "find", list)


def test_a_device_has_gpus_of_its_kind_and_a_processor_has_none() -> None:
    assert [each.uuid for each in gpu.for_device("example:1")] == ["E-0"]
    assert len(gpu.for_device("example:4")) == COUNT
    assert gpu.for_device("cuda:1") == gpu.for_device("cpu:2") == []


@pytest.mark.parametrize(
    ("device", "message"),
    [
        ("cpu:2", None),
        ("example:2", None),
        ("example:2x2", None),
        ("example:3", "example:3 asks for 3 GPUs, and there are 2 here"),
        ("cuda:1", "cuda:1 asks for 1 GPU, and there is none here"),
    ],
)
def test_too_few_gpus_are_one_line(
    monkeypatch: pytest.MonkeyPatch, device: str, message: str | None
) -> None:
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    assert gpu.lacking(device, gpu.for_device(device)) == message


def test_what_may_hide_them_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "MIG-3f3a")
    message = "cuda:1 asks for 1 GPU, and there is none here (CUDA_VISIBLE_DEVICES=MIG-3f3a)"
    assert gpu.lacking("cuda:1", []) == message


def test_a_worker_sees_its_gpus_and_those_of_no_other_vendor() -> None:
    variables = gpu.worker_variables(gpu.for_device("example:1"))
    assert (variables["SEEN"], variables["CUDA_VISIBLE_DEVICES"]) == ("E-0", "")
    nvidia = SimpleNamespace(kind="cuda", uuid="GPU-7")
    variables = gpu.worker_variables([nvidia])
    assert (variables["SEEN"], variables["CUDA_VISIBLE_DEVICES"]) == ("", "GPU-7")


def test_an_environment_has_a_build_for_each_kind_of_gpus(tmp_path: Path) -> None:
    (tmp_path / "jax-example.yaml").touch()
    assert builds.for_device("example:2", "jax", tmp_path) == "jax-example"
    assert builds.for_device("cuda:2", "jax", tmp_path) == "jax"
    assert builds.for_device("cpu", "jax", tmp_path) == "jax"
    assert builds.gpu_kind("jax-example") == "example"
    assert builds.plain("jax-example") == builds.plain("jax") == "jax"
