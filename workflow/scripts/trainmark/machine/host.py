"""A machine's facts: processor, memory, kernel and system, as far as Linux tells them.

Sources: proc_cpuinfo(5), proc_meminfo(5), os-release(5); Documentation/ABI of Linux:
sysfs-devices-system-cpu (index*/size) and sysfs-class-dmi.
"""

import platform
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from trainmark.machine import cores, system_files, topology

CPU = Path("/sys/devices/system/cpu/cpu0")
DMI = Path("/sys/class/dmi/id")
VECTORS = re.compile(r"avx\w*|amx\w*|fma|sse4_2|asimd\w*|sve\w*|i8mm|bf16")
"""Flags of /proc/cpuinfo that are instructions on vectors and matrices."""


def facts() -> dict[str, Any]:
    """The machine; None is what can't be read, or isn't there."""
    processor = system_files.text(Path("/proc/cpuinfo"))
    memory_kibibytes = _number(r"^MemTotal:\s+(\d+)", system_files.text(Path("/proc/meminfo")))
    return {
        "hostname": platform.node(),
        "cpu": _text(r"^model name\s*: (.+)", processor),
        "model": _model(processor),
        "topology": topology.description(),
        "microcode": _text(r"^microcode\s*: (.+)", processor),
        "vectors": " ".join(_vectors(processor)) or None,
        "caches": ", ".join(_caches()) or None,
        "hypervisor": _hypervisor(processor),
        "cores": cores.usable(),
        "memory_bytes": int(memory_kibibytes * 1024) if memory_kibibytes else None,
        "kernel": platform.release(),
        "system": _text(r'^PRETTY_NAME="?([^"\n]+)', system_files.text(Path("/etc/os-release"))),
        "clock_megahertz": _number(r"^cpu MHz\s*: ([\d.]+)", processor),
        "governor": system_files.text(CPU / "cpufreq" / "scaling_governor") or None,
    }


def _model(processor: str) -> str | None:
    """The numbers that tell processors of one name apart."""
    names = {"family": "cpu family", "model": "model", "stepping": "stepping"}
    numbers = {name: _text(rf"^{key}\s*: (\d+)$", processor) for name, key in names.items()}
    return ", ".join(f"{name} {number}" for name, number in numbers.items() if number) or None


def _vectors(processor: str) -> list[str]:
    flags = _text(r"^(?:flags|Features)\s*: (.+)", processor) or ""
    return sorted(flag for flag in flags.split() if VECTORS.fullmatch(flag))


def _caches() -> Iterator[str]:
    """The caches that one core sees, each as "512K L2"; the first level for data alone."""
    for index in sorted(CPU.glob("cache/index*")):
        level, kind, size = (system_files.text(index / name) for name in ("level", "type", "size"))
        if kind in ("Data", "Unified"):
            yield f"{size} L{level}"


def _hypervisor(processor: str) -> str | None:
    """The hypervisor of a virtual machine, "unnamed" where it doesn't say; None on hardware."""
    if "hypervisor" not in (_text(r"^flags\s*: (.+)", processor) or "").split():
        return None
    names = (system_files.text(DMI / name) for name in ("sys_vendor", "product_name"))
    return " ".join(filter(None, names)) or "unnamed"


def _text(pattern: str, text: str) -> str | None:
    match = re.search(pattern, text, re.MULTILINE)
    return match[1].strip() if match else None


def _number(pattern: str, text: str) -> float | None:
    number = _text(pattern, text)
    return float(number) if number else None
