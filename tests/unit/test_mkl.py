"""Which CPUs an old MKL must be told of."""

from pathlib import Path

import pytest

from worker import mkl


@pytest.mark.parametrize(
    ("vendor", "flags", "needed"),
    [
        ("AuthenticAMD", "sse2 avx avx2 fma", True),
        ("AuthenticAMD", "sse2 avx", False),
        ("GenuineIntel", "sse2 avx avx2 avx512f", False),
    ],
)
def test_avx2_is_asked_for_where_mkl_would_not_use_it(vendor, flags, needed):
    assert mkl.needs_cpu_type(f"vendor_id\t: {vendor}\nflags\t\t: {flags}\n") is needed


def test_the_setting_in_effect_is_told(monkeypatch):
    monkeypatch.setenv(mkl.CPU_TYPE, "7")
    needed = mkl.needs_cpu_type(Path("/proc/cpuinfo").read_text(encoding="utf-8"))
    assert mkl.use_avx2() == {mkl.CPU_TYPE: mkl.AVX2 if needed else "7"}
