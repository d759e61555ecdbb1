"""Caffe's environment as its recipe built it: Debian's libraries round the environment's Python."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
PROBE = """
import caffe, ctypes, json, platform
openblas = ctypes.CDLL("libopenblas.so.0")
openblas.openblas_get_config.restype = ctypes.c_char_p
openblas.openblas_get_num_threads.restype = ctypes.c_int
print(json.dumps({
    "caffe": caffe.__version__,
    "layers": list(caffe.layer_type_list()),
    "python": platform.python_version(),
    "openblas": openblas.openblas_get_config().decode(),
    "threads": openblas.openblas_get_num_threads(),
}))
"""


@pytest.fixture(scope="module")
def installed() -> dict[str, Any]:
    """The environment's installed lock."""
    path = ROOT / "results" / "environments" / "caffe.json"
    lock: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {"status": "unbuilt"}
    if lock["status"] != "available":
        pytest.skip(f"needs the environment caffe, which is {lock['status']}")
    return lock


def answer(installed: dict[str, Any], *command: str) -> str:
    """What a program of the environment prints, with what a worker inherits."""
    folder = (ROOT / installed["interpreter"]).parent
    path = f"{folder}{os.pathsep}{os.environ['PATH']}"
    variables = {"PATH": path, "OPENBLAS_NUM_THREADS": "2", **installed["variables"]}
    return subprocess.check_output([folder / command[0], *command[1:]], env=variables, text=True)


def test_the_program_runs(installed: dict[str, Any]) -> None:
    assert answer(installed, "caffe", "--version") == "caffe version 1.0.0\n"


def test_the_module_runs_in_the_environment_s_own_python(installed: dict[str, Any]) -> None:
    facts = json.loads(answer(installed, "python", "-I", "-c", PROBE))
    assert facts["caffe"] == "1.0.0"
    assert {"Convolution", "LRN", "Data", "SoftmaxWithLoss"} <= set(facts["layers"])
    assert facts["python"] == installed["python"]
    assert facts["openblas"].startswith("OpenBLAS 0.3.21")
    assert facts["threads"] == 2
