"""The variables that old libraries need on a processor younger than they are."""

import pytest

from worker.libraries import processor

AMD = "vendor_id\t: AuthenticAMD\nflags\t\t: sse2 avx avx2 fma\n"
INTEL = "vendor_id\t: GenuineIntel\nflags\t\t: sse2 avx avx2 avx512f\n"
WITHOUT_AVX2 = "vendor_id\t: AuthenticAMD\nflags\t\t: sse2 avx\n"


@pytest.mark.parametrize(
    ("versions", "cpuinfo", "variables"),
    [
        ({"torch": "1.4.0"}, AMD, processor.MKL),
        ({"torch": "1.4.0"}, INTEL, {}),
        ({"torch": "1.4.0"}, WITHOUT_AVX2, {}),
        ({"torch": "2.13.0+cpu"}, AMD, {}),
        ({"cntk": "2.7.post2"}, AMD, processor.MKL),
        ({"mxnet": "1.2.0"}, INTEL, processor.OPENBLAS),
        ({"mxnet": "1.8.0.post0"}, AMD, processor.OPENBLAS),
        ({"mxnet": "1.9.1"}, AMD, {}),
        ({"mxnet-mkl": "1.0.0"}, AMD, {}),
        ({"mxnet-mkl": "1.2.0"}, AMD, {**processor.MKL, **processor.OPENBLAS}),
    ],
)
def test_old_libraries_are_told_of_the_processor(versions, cpuinfo, variables):
    assert processor.hints(versions, cpuinfo, []) == variables


@pytest.mark.parametrize(
    ("version", "flags", "is_told"),
    [
        ("1.9.1", "amx_bf16", True),
        ("1.9.1", "avx512_bf16", False),
        ("1.8.0", "amx_bf16", False),
        ("2.0.0", "amx_bf16", False),
    ],
)
def test_the_onednn_of_mxnet_has_to_be_told_of_amx(version, flags, is_told):
    assert processor.must_be_told_of_amx({"mxnet": version}, f"{INTEL} {flags}") == is_told


def test_others_know_of_amx_themselves():
    assert not processor.must_be_told_of_amx({"torch": "2.1.0"}, f"{INTEL} amx_bf16")


@pytest.mark.parametrize("is_allowed", [True, False])
def test_another_node_uses_amx_only_where_linux_allows_it(monkeypatch, is_allowed):
    monkeypatch.setattr(processor.tiles, "request", lambda: is_allowed)
    monkeypatch.setattr(processor.os, "environ", {})
    processor.set_as_leader({**processor.AMX, **processor.OPENBLAS})
    allowed = processor.AMX if is_allowed else {}
    assert processor.os.environ == {**processor.OPENBLAS, **allowed}


AVX512 = "avx512f avx512bw avx512cd avx512dq avx512vl"
UNKNOWN = "OpenBLAS 0.3.13 DYNAMIC_ARCH NO_AFFINITY Prescott MAX_THREADS=64"
KNOWN = "OpenBLAS 0.3.13 DYNAMIC_ARCH NO_AFFINITY Zen MAX_THREADS=64"


@pytest.mark.parametrize(
    ("cpuinfo", "loaded", "variables"),
    [
        (f"{INTEL} {AVX512}", [UNKNOWN], {"OPENBLAS_CORETYPE": "SkylakeX"}),
        (INTEL, [UNKNOWN], {"OPENBLAS_CORETYPE": "Haswell"}),
        (AMD, [KNOWN, UNKNOWN], {"OPENBLAS_CORETYPE": "Haswell"}),
        (AMD, [KNOWN], {}),
        (WITHOUT_AVX2, [UNKNOWN], {}),
    ],
)
def test_an_openblas_that_does_not_know_the_processor_is_told_its_kernels(
    cpuinfo, loaded, variables
):
    assert processor.hints({}, cpuinfo, loaded) == variables
