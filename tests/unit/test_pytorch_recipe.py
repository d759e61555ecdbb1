"""The stand-ins with which torchvision's build for CUDA works beside PyTorch's for CPUs."""

import ctypes
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from trainmark.environments import Unavailable, stand_ins
from trainmark.environments.recipes import pytorch

UNDEFINED = """
image.so:
                 U _ZN3c104cuda12device_countEv
                 U _ZNK3c104cuda10CUDAStream5queryEv
                 U _ZN2at4cuda26getCurrentDevicePropertiesEv
                 U _ZN3c105ErrorD1Ev
_C.so:
                 U _ZN3c104cuda12device_countEv
"""


@pytest.fixture
def library(tmp_path: Path) -> Path:
    if shutil.which("gcc") is None:
        pytest.skip("needs gcc")
    path = tmp_path / "libc10_cuda.so"
    stand_ins.make(path, pytorch.functions("3c104cuda", UNDEFINED), "of torchvision")
    return path


def test_a_stand_in_has_the_functions_of_its_namespace(library: Path) -> None:
    stand_in = ctypes.CDLL(str(library))
    assert stand_in._ZN3c104cuda12device_countEv
    assert stand_in._ZNK3c104cuda10CUDAStream5queryEv
    for other in ("_ZN2at4cuda26getCurrentDevicePropertiesEv", "_ZN3c105ErrorD1Ev"):
        with pytest.raises(AttributeError):
            getattr(stand_in, other)


def test_a_call_ends_the_process_and_is_named(library: Path) -> None:
    program = f"import ctypes; ctypes.CDLL({str(library)!r})._ZN3c104cuda12device_countEv()"
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert ended.returncode == -signal.SIGABRT
    assert "_ZN3c104cuda12device_countEv: of torchvision" in ended.stderr


def test_an_environment_without_torchvision_stays_as_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert pytorch.build(Path(sys.executable), tmp_path, tmp_path) == {}
    assert "by Pillow, as torchvision can't be used: it isn't installed" in capsys.readouterr().err


@pytest.fixture
def packages(tmp_path: Path) -> Path:
    """Where PyTorch and torchvision are installed, the latter without any library."""
    folder = tmp_path / "lib" / "python3.11" / "site-packages"
    for name in ("torch/lib", "torchvision"):
        (folder / name).mkdir(parents=True)
    return folder


def test_beside_a_build_for_gpus_nothing_is_made(tmp_path: Path, packages: Path) -> None:
    (packages / "torch/lib/libtorch_cuda.so").touch()
    assert pytorch.complete_torchvision(Path(sys.executable), tmp_path) == {}


def test_a_pytorch_whose_cuda_is_there_needs_nothing(packages: Path) -> None:
    libraries = packages / "torch/lib"
    (libraries / "libtorch_cuda.so").touch()
    products = packages / "nvidia/cublas/lib"
    products.mkdir(parents=True)
    (products / "libcublas.so.12").touch()
    pytorch.complete_pytorch(libraries)
    assert [file.name for file in libraries.iterdir()] == ["libtorch_cuda.so"]


def test_a_torchvision_for_cpus_needs_nothing(library: Path, tmp_path: Path) -> None:
    package = tmp_path / "lib/python3.11/site-packages/torchvision"
    package.mkdir(parents=True)
    shutil.copy(library, package / "_C.so")  # asks for nothing of CUDA's
    assert pytorch.complete_torchvision(Path(sys.executable), tmp_path) == {}
    assert list(package.parent.iterdir()) == [package]


@pytest.mark.usefixtures("packages")
def test_a_missing_tool_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Unavailable, match=r"^gcc and nm can't be found"):
        pytorch.complete_torchvision(Path(sys.executable), tmp_path)


def test_a_library_of_nvidias_has_functions_of_its_version_and_by_their_names() -> None:
    undefined = """
                 U cuptiSubscribe@libcupti.so.12
                 U cublasCreate_v2@libcublas.so.12
                 U cublasLtCreate@libcublasLt.so.12
                 U nvshmem_free@NVSHMEM
                 U ncclCommInitRank
                 U malloc@GLIBC_2.2.5
"""
    versions = {
        "libcupti.so.12": "libcupti.so.12",
        "libcublas.so.12": "libcublas.so.12",
        "libnvshmem_host.so.3": "NVSHMEM",
        "libnccl.so.2": "",
    }
    assert {
        name: list(pytorch.functions_of_nvidia(name, version, undefined))
        for name, version in versions.items()
    } == {
        "libcupti.so.12": ["cuptiSubscribe"],
        "libcublas.so.12": ["cublasCreate_v2"],
        "libnvshmem_host.so.3": ["nvshmem_free"],
        "libnccl.so.2": ["ncclCommInitRank"],
    }


def test_the_version_of_a_librarys_functions_is_read() -> None:
    listing = """
  0x0090: Version: 1  File: libnvshmem_host.so.3  Cnt: 1
  0x00a0:   Name: NVSHMEM  Flags: none  Version: 4
  0x00b0: Version: 1  File: libstdc++.so.6  Cnt: 9
"""
    assert pytorch.version_of("libnvshmem_host.so.3", listing) == "NVSHMEM"
    assert pytorch.version_of("libnccl.so.2", listing) == ""
