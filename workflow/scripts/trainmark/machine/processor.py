"""The processor: its clock, how often it throttled and its energy, where Linux reports them."""

import os
from pathlib import Path
from typing import Self

FOLDER = Path("/sys/devices/system/cpu")
POWERCAP = Path("/sys/class/powercap")


class Processor:
    """The cores that this process may use."""

    def __init__(self, cores: list[Path]) -> None:
        self._clocks = _existing(cores, "cpufreq/scaling_cur_freq")
        self._throttles = _existing(cores, "thermal_throttle/package_throttle_count")

    @classmethod
    def find(cls, folder: Path = FOLDER) -> Self:
        """The cores of this process's affinity."""
        return cls([folder / f"cpu{number}" for number in sorted(os.sched_getaffinity(0))])

    def megahertz(self) -> float | None:
        """The highest clock among the cores: that of one at work."""
        clocks = [clock for path in self._clocks if (clock := _number(path))]
        return max(clocks) / 1000 if clocks else None

    def throttles(self) -> int | None:
        """How often the cores' packages became too hot since boot: only its rise has a meaning."""
        counts = [count for path in self._throttles if (count := _number(path)) is not None]
        return sum(counts) if counts and len(counts) == len(self._throttles) else None


class Rapl:
    """The energy of all CPU packages by their counters; those wrap, this one doesn't.

    A counter that goes back from its lower half was reset: then only its value since then counts.
    """

    def __init__(self, packages: list[Path]) -> None:
        self._packages = packages
        self._ranges = [_read(package / "max_energy_range_uj") for package in packages]
        self._last = [_read(package / "energy_uj") for package in packages]
        self._microjoules = 0

    @classmethod
    def find(cls, folder: Path = POWERCAP) -> Self | None:
        """The counters, or None where there are none or only root may read them."""
        zones = sorted(folder.glob("intel-rapl:*"))  # AMD's appear under this name too
        try:
            packages = [zone for zone in zones if _is_package(zone)]
            return cls(packages) if packages else None
        except OSError:
            return None

    def joules(self) -> float | None:
        """Joules used since this object was made; None where a counter can't be read now."""
        try:
            now = [_read(package / "energy_uj") for package in self._packages]
        except (OSError, ValueError):
            return None
        for before, after, wrap in zip(self._last, now, self._ranges, strict=True):
            self._microjoules += _rise(before, after, wrap)
        self._last = now
        return self._microjoules / 1e6


def _existing(cores: list[Path], name: str) -> list[Path]:
    return [core / name for core in cores if (core / name).exists()]


def _is_package(zone: Path) -> bool:
    """Other zones are parts of a package, or psys, which holds all of them and more."""
    return (zone / "name").read_text().startswith("package")


def _rise(before: int, after: int, wrap: int) -> int:
    if after >= before:
        return after - before
    return after - before + wrap if before > wrap // 2 else after


def _number(path: Path) -> int | None:
    """A file's number; None where it can't be read, as of a core that was taken offline."""
    try:
        return _read(path)
    except (OSError, ValueError):
        return None


def _read(path: Path) -> int:
    return int(path.read_text())
