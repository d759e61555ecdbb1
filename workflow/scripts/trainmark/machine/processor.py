"""The clock of the CPU and how often it throttled, where Linux reports them."""

import os
from pathlib import Path
from typing import Self

FOLDER = Path("/sys/devices/system/cpu")


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
        return max((int(path.read_text()) / 1000 for path in self._clocks), default=None)

    def throttles(self) -> int | None:
        """How often the cores' packages became too hot since boot: only its rise has a meaning."""
        return sum(int(path.read_text()) for path in self._throttles) if self._throttles else None


def _existing(cores: list[Path], name: str) -> list[Path]:
    return [core / name for core in cores if (core / name).exists()]
