"""Theano's OpenBLAS: the wheel's functions under their usual names."""

import ctypes
import shutil
import subprocess
from pathlib import Path

import pytest

from trainmark.environments import Unavailable
from trainmark.environments.recipes import theano

SOURCE = """
static double sum(double x, double y) { return x + y; }
double scipy_ddot_(double x, double y) { return sum(x, y); }
int scipy_openblas_get_num_threads(void) { return 3; }
int other(void) { return 0; }
"""


@pytest.fixture
def wheel(tmp_path: Path) -> Path:
    if shutil.which("g++") is None:
        pytest.skip("needs g++")
    (tmp_path / "source.c").write_text(SOURCE, encoding="utf-8")
    library = tmp_path / "wheel" / "lib" / "libscipy_openblas.so"
    library.parent.mkdir(parents=True)
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", library, tmp_path / "source.c"], check=True)
    return library


def test_the_functions_lose_their_prefix(wheel: Path, tmp_path: Path) -> None:
    theano.make_library(wheel, tmp_path / "libopenblas.so")
    functions = ctypes.CDLL(str(tmp_path / "libopenblas.so"))
    functions.ddot_.restype = ctypes.c_double
    assert functions.ddot_(ctypes.c_double(2), ctypes.c_double(0.5)) == 2.5
    assert functions.openblas_get_num_threads() == 3


def test_only_prefixed_functions_are_named() -> None:
    listing = "0001 T scipy_sgemm_\n0002 T other\n0003 D scipy_table\n"
    assert ".globl sgemm_\n" in theano.source(listing)
    assert "other" not in theano.source(listing)
    assert "table" not in theano.source(listing)


def test_a_file_that_is_no_library_is_reported_in_one_line(tmp_path: Path) -> None:
    if shutil.which("nm") is None:
        pytest.skip("needs nm")
    broken = tmp_path / "libscipy_openblas.so"
    broken.write_text("not a library", encoding="utf-8")
    with pytest.raises(
        Unavailable, match=r"can't be made for Theano: .*file format not recognized"
    ):
        theano.make_library(broken, tmp_path / "libopenblas.so")
