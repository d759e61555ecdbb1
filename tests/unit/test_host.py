"""What a record says of the machine."""

from pathlib import Path

import pytest

from trainmark.machine import host, system_files, topology

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
    assert facts["topology"] == topology.description()


def test_processors_of_one_name_are_told_apart(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    texts = {"/proc/cpuinfo": EPYC, "/sys/class/dmi/id/product_name": "HVM domU"}
    for name, text in {"level": "2", "type": "Unified", "size": "512K"}.items():
        texts[f"{tmp_path}/cache/index2/{name}"] = text
    (tmp_path / "cache" / "index2").mkdir(parents=True)
    monkeypatch.setattr(host, "CPU", tmp_path)
    monkeypatch.setattr(system_files, "text", lambda path: texts.get(str(path), ""))
    facts = host.facts()
    assert facts["model"] == "family 25, model 1, stepping 1"
    assert facts["microcode"] == "0x1000065"
    assert facts["vectors"] == "avx avx2 fma sse4_2"
    assert facts["caches"] == "512K L2"
    assert facts["hypervisor"] == "HVM domU"
    assert facts["governor"] is None


def test_what_is_not_told_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system_files, "text", lambda _: "")
    facts = host.facts()
    assert facts["cpu"] is facts["model"] is facts["hypervisor"] is facts["memory_bytes"] is None
