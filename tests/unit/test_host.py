"""What a record says of the machine."""

from pathlib import Path

import pytest

from trainmark.machine import host

EPYC = """\
model name	: AMD EPYC
cpu family	: 25
model		: 1
stepping	: 1
microcode	: 0x1000065
cpu MHz		: 2445.406
flags		: fpu sse4_2 hypervisor avx avx2 fma sha_ni
"""


def test_the_host_names_itself() -> None:
    facts = host.facts()
    assert facts["hostname"]
    assert facts["cores"] >= 1
    assert facts["memory_bytes"] > 2**27
    assert facts["kernel"]


def test_processors_of_one_name_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = {"/proc/cpuinfo": EPYC, "/sys/class/dmi/id/product_name": "HVM domU\n"}
    for name, text in {"level": "2", "type": "Unified", "size": "512K"}.items():
        texts[f"{host.CPU}/cache/index2/{name}"] = f"{text}\n"
    monkeypatch.setattr(host, "_read", lambda path: texts.get(str(path), ""))
    monkeypatch.setattr(Path, "glob", lambda folder, _: [folder / "cache" / "index2"])
    monkeypatch.setattr(host.topology, "described", lambda: "2 threads per core")
    facts = host.facts()
    assert facts["model"] == "family 25, model 1, stepping 1"
    assert facts["topology"] == "2 threads per core"
    assert facts["microcode"] == "0x1000065"
    assert facts["vectors"] == "avx avx2 fma sse4_2"
    assert facts["caches"] == "512K L2"
    assert facts["hypervisor"] == "HVM domU"
    assert facts["governor"] is None


def test_what_is_not_told_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host, "_read", lambda _: "")
    facts = host.facts()
    assert facts["cpu"] is facts["model"] is facts["hypervisor"] is facts["memory_bytes"] is None
