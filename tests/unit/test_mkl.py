"""The variable that an old MKL needs on some CPUs."""

import pytest

from worker.libraries import mkl


@pytest.mark.parametrize(
    ("vendor", "flags", "variables"),
    [
        ("AuthenticAMD", "sse2 avx avx2 fma", {"MKL_DEBUG_CPU_TYPE": "5"}),
        ("AuthenticAMD", "sse2 avx", {}),
        ("GenuineIntel", "sse2 avx avx2 avx512f", {}),
    ],
)
def test_avx2_is_asked_for_where_mkl_would_not_use_it(vendor, flags, variables):
    assert mkl.variables_for(f"vendor_id\t: {vendor}\nflags\t\t: {flags}\n") == variables
