"""AMD's GPUs as AMD SMI's module reads them, from a library that plays what a test writes."""

import ctypes
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import jsonschema
import pytest

from trainmark.environments.uv import uv
from trainmark.machine import gpu
from trainmark.machine.gpu import GpuSample, amd
from trainmark.study.config import schemas

SOURCE = Path(__file__).with_name("played_amd_smi.c")
LOCK = Path(__file__).with_name("amdsmi.lock")  # of the module, which users have with ROCm
NAMES = re.compile(r"_libraries\['libamd_smi\.so'\]\.(\w+)")
GIB = 2**30
NOT_SUPPORTED = -2
OURS = {101, 102}
# In the order of the library's quantities.
BUSY = {
    "watts": 612,
    "microwatts_at_most": 750_000_000,
    "energy_count": 4_000_000,
    "activity": 98,
    "megahertz": 2100,
    "celsius": 71,
    "bytes": 192 * GIB,
    "bytes_in_use": 9 * GIB,
    "pid": 102,
    "bytes_of_process": 8 * GIB,
    "board": 0,
    "driver": 0,
    "number": 1,
}
IDLE = {**BUSY, "watts": 140, "number": 0}
UUIDS = ["GPU-0f3a", "GPU-1f3a"]

Play = Callable[..., amd.AmdGpu]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ctypes.CDLL]:
    """The library that plays AMD SMI, where its module looks for that of ROCm."""
    if not shutil.which("gcc"):
        pytest.skip("needs gcc")
    folder = tmp_path_factory.mktemp("rocm")
    (folder / "lib").mkdir()
    install = ("pip", "install", "--target", str(folder), "--no-deps", "--require-hashes")
    done = uv(*install, "--requirements", str(LOCK))
    if done.returncode:
        pytest.skip(f"needs AMD's module, which can't be installed: {done.stderr}")
    wrapper = (folder / "amdsmi" / "amdsmi_wrapper.py").read_text(encoding="utf-8")
    others = "".join(
        f"__attribute__((weak)) int {name}(void) {{ return {-NOT_SUPPORTED}; }}\n"
        for name in sorted(set(NAMES.findall(wrapper)))
    )
    (folder / "others.c").write_text(others)
    path = folder / "lib" / "libamd_smi.so"
    options = ["-shared", "-fPIC", "-O1", "-w"]
    subprocess.run(["gcc", *options, "-o", path, SOURCE, folder / "others.c"], check=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("ROCM_HOME", raising=False)
        patch.setenv("ROCM_PATH", str(folder))
        patch.setattr(amd, "KERNEL_DRIVER", folder)
        patch.syspath_prepend(str(folder))
        yield ctypes.CDLL(str(path))


@pytest.fixture
def play(library: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch) -> Play:
    """Play a GPU as in BUSY but for what is changed, and one that comes first for ROCm."""
    for name in amd.VISIBLE:
        monkeypatch.delenv(name, raising=False)

    def write(**changes: int) -> amd.AmdGpu:
        quantities = (ctypes.c_double * (2 * len(BUSY))).in_dll(library, "played")
        values = [*{**BUSY, **changes}.values(), *IDLE.values()]
        quantities[:] = [float(value) for value in values]
        [_, device] = amd.find()
        return device

    return write


def test_a_gpu_in_si_units_with_the_memory_of_the_runs_own_processes(play: Play) -> None:
    device = play()
    assert device.sample(OURS) == GpuSample(8 * GIB, 612.0, 61.0, 98, 2100, 71, None, 0)
    assert device.describe() == {
        "name": "AMD Instinct MI300X",
        "uuid": UUIDS[1],
        "driver": "6.14.14",
        "memory_method": "process",
        "memory_bytes": 192 * GIB,
        "power_limit_watts": 750.0,
        "compute_capability": "gfx942",
    }


def test_the_record_of_a_run_takes_it_whether_known_or_not(play: Play) -> None:
    schema = schemas.load("run")
    of_gpus = schema["properties"]["provenance"]["properties"]["gpus"]
    play(**dict.fromkeys(BUSY, NOT_SUPPORTED))
    jsonschema.validate([device.describe() for device in amd.find()], of_gpus)


def test_what_a_gpu_cant_tell_is_none(play: Play) -> None:
    play(**dict.fromkeys(BUSY, NOT_SUPPORTED))
    device = amd.find()[0]
    assert set(device.sample(OURS)) == {None}
    described = device.describe()
    assert [key for key, value in described.items() if value] == ["name", "uuid", "memory_method"]
    assert (described["name"], described["uuid"]) == ("AMD", "0")


def test_an_early_release_names_energy_otherwise_and_lists_handles_of_processes(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    device = play()
    smi = sys.modules["amdsmi"]
    counted = {"power": 4_000_000, "counter_resolution": 15.25}
    monkeypatch.setattr(smi, "amdsmi_get_energy_count", lambda handle: counted)
    monkeypatch.setattr(smi, "amdsmi_get_gpu_process_list", lambda handle: [ctypes.c_uint32(1)])
    sample = device.sample(OURS)
    assert sample.energy_joules == 61.0
    assert (sample.memory_bytes, sample.other_processes) == (9 * GIB, None)


def test_where_processes_dont_tell_the_memory_is_all_in_use(play: Play) -> None:
    device = play(pid=7)  # of a container's host
    sample = device.sample(OURS)
    assert (sample.memory_bytes, sample.other_processes) == (9 * GIB, None)


def test_they_are_in_the_order_that_rocm_numbers_them_in(play: Play) -> None:
    play()
    assert [device.uuid for device in amd.find()] == UUIDS
    assert [device.power_watts() for device in amd.find()] == [140.0, 612.0]


def test_a_worker_sees_its_gpus_and_those_of_no_other_vendor(play: Play) -> None:
    variables = gpu.worker_variables([play()])
    assert variables["ROCR_VISIBLE_DEVICES"] == UUIDS[1]
    assert variables["HIP_VISIBLE_DEVICES"] == "0"  # HIP would take CUDA's without it
    assert variables["CUDA_VISIBLE_DEVICES"] == ""
    assert gpu.worker_variables([])["ROCR_VISIBLE_DEVICES"] == ""


@pytest.mark.parametrize(
    ("variables", "chosen"),
    [
        ({}, UUIDS),
        ({"ROCR_VISIBLE_DEVICES": "GPU-1"}, UUIDS[1:]),
        ({"ROCR_VISIBLE_DEVICES": ""}, []),
        ({"ROCR_VISIBLE_DEVICES": "1", "HIP_VISIBLE_DEVICES": "0"}, UUIDS[1:]),
        ({"HIP_VISIBLE_DEVICES": "1,1,0"}, UUIDS[::-1]),
        ({"HIP_VISIBLE_DEVICES": "0,9,1"}, UUIDS[:1]),
        ({"HIP_VISIBLE_DEVICES": "-1"}, []),
        ({"HIP_VISIBLE_DEVICES": "", "CUDA_VISIBLE_DEVICES": "1"}, UUIDS[1:]),
    ],
)
def test_the_user_s_lists_choose_as_for_rocm_and_hip(
    play: Play, monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], chosen: list[str]
) -> None:
    play()
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert [device.uuid for device in gpu.for_device("rocm:2")] == chosen


@pytest.mark.parametrize("code", ["raise ImportError", "raise KeyError", "raise AttributeError"])
def test_without_the_module_or_its_library_there_is_none(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, code: str
) -> None:
    (tmp_path / "amdsmi.py").write_text(code)
    monkeypatch.setattr(amd, "KERNEL_DRIVER", tmp_path)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.delitem(sys.modules, "amdsmi", raising=False)
    assert amd.find() == []
    assert "(the installed ROCm's amdsmi can't be imported: " in str(gpu.lacking("rocm:1", []))


def test_without_the_kernel_s_driver_there_is_none(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(amd, "KERNEL_DRIVER", tmp_path / "kfd")
    assert amd.find() == []
