"""Telemetry: schedule, CSV, and counters of the machine, replayed from recordings."""

import csv
import io
import os
import time
from pathlib import Path

import pytest

from trainmark.machine.gpu import GpuSample
from trainmark.machine.out_of_memory import kills
from trainmark.machine.processes import Descendants
from trainmark.machine.processor import Rapl
from trainmark.machine.telemetry import (
    INTERVAL_SECONDS,
    Sample,
    Sampler,
    interfaces,
    machine_cpu_seconds,
    network_bytes,
    to_csv,
)

INTERFACES = """\
Inter-|   Receive                                                |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo
    lo:  900       9    0    0    0     0          0         0      900       9    0    0    0
  eth0:  700       7    0    0    0     0          0         0       70       7    0    0    0
wlan0:50000       50    0    0    0     0          0         0     5000      50    0    0    0
docker0: 600       6    0    0    0     0          0         0       60       6    0    0    0
"""


def test_network_traffic_is_counted_once_where_it_passes_a_device(tmp_path: Path) -> None:
    for name in ("lo", "docker0", "eth0/device", "wlan0/device"):
        (tmp_path / "net" / name).mkdir(parents=True)
    table = tmp_path / "dev"
    table.write_text(INTERFACES)
    names = interfaces(tmp_path / "net")
    assert names == {b"eth0", b"wlan0"}
    assert network_bytes(names, table) == (50_700, 5_070)


def test_a_container_sees_interfaces_without_a_device(tmp_path: Path) -> None:
    for name in ("lo", "eth0"):
        (tmp_path / name).mkdir()
    assert interfaces(tmp_path) == {b"eth0"}


def test_a_machine_without_a_network_has_no_traffic(tmp_path: Path) -> None:
    table = tmp_path / "dev"
    table.write_text(INTERFACES)
    assert network_bytes(interfaces(tmp_path / "none"), table) is None


def zone(folder: Path, file: str, microjoules: int, name: str = "package-0") -> None:
    zone_folder = folder / file
    zone_folder.mkdir(exist_ok=True)
    (zone_folder / "name").write_text(f"{name}\n")
    (zone_folder / "energy_uj").write_text(f"{microjoules}\n")
    (zone_folder / "max_energy_range_uj").write_text("10000000\n")


def test_cpu_energy_sums_packages_over_a_wrap(tmp_path: Path) -> None:
    zone(tmp_path, "intel-rapl:0", 9_500_000)
    zone(tmp_path, "intel-rapl:1", 1_000_000, "package-1")
    zone(tmp_path, "intel-rapl:0:0", 5, "core")
    zone(tmp_path, "intel-rapl:2", 5, "psys")
    rapl = Rapl.find(tmp_path)
    assert rapl is not None
    assert rapl.joules() == 0
    zone(tmp_path, "intel-rapl:0", 500_000)
    zone(tmp_path, "intel-rapl:1", 1_500_000, "package-1")
    zone(tmp_path, "intel-rapl:2", 6_000_000, "psys")
    assert rapl.joules() == pytest.approx(1.5)


def test_a_cpu_energy_counter_that_was_reset_counts_from_zero(tmp_path: Path) -> None:
    zone(tmp_path, "intel-rapl:0", 4_000_000)
    rapl = Rapl.find(tmp_path)
    assert rapl is not None
    zone(tmp_path, "intel-rapl:0", 250_000)
    assert rapl.joules() == pytest.approx(0.25)


def test_a_cpu_energy_counter_that_has_gone_is_none_and_not_the_end(tmp_path: Path) -> None:
    zone(tmp_path, "intel-rapl:0", 4_000_000)
    rapl = Rapl.find(tmp_path)
    assert rapl is not None
    (tmp_path / "intel-rapl:0" / "energy_uj").unlink()
    assert rapl.joules() is None


def test_no_energy_counters_is_none(tmp_path: Path) -> None:
    assert Rapl.find(tmp_path) is None
    zone(tmp_path, "intel-rapl:0", 1)
    (tmp_path / "intel-rapl:0" / "energy_uj").unlink()
    assert Rapl.find(tmp_path) is None


def test_the_csv_has_columns_for_what_is_there_and_empty_cells_for_what_is_not_readable() -> None:
    reading = GpuSample(2**30, None, 5.0, 90, 1980, None, 0, 0)
    samples = [Sample(12.5, 100.25, 0.0, 1.5, 0.125, 4096, gpus=(reading,))]
    header, row = csv.reader(io.StringIO(to_csv(samples)))
    cells = dict(zip(header, row, strict=True))
    assert cells["time_seconds"] == "12.500000"
    assert cells["own_memory_bytes"] == "4096"
    assert cells["gpu0_memory_bytes"] == str(2**30)
    assert cells["gpu0_power_watts"] == ""
    assert not {"own_read_bytes", "cpu_energy_joules", "cpu_megahertz"} & set(cells)
    assert "gpu1_power_watts" not in cells


def test_the_schedule_keeps_its_deadlines_and_skips_missed_ones() -> None:
    sampler = Sampler(Descendants(), [], None)
    start = sampler._deadline
    time.sleep(0.25)
    sampler.seconds_to_next()
    steps = (sampler._deadline - start) / INTERVAL_SECONDS
    assert steps == pytest.approx(round(steps))
    assert sampler._deadline > time.monotonic()


def test_machine_time_is_busy_steal_and_waiting_of_the_cores_this_process_may_use(
    tmp_path: Path,
) -> None:
    stat = tmp_path / "stat"
    core = min(os.sched_getaffinity(0))
    lines = ["cpu  9 9 9 9 9 9 9 9 9 9", f"cpu{core} 100 20 30 9999 500 6 7 40 3 0"]
    stat.write_text("\n".join([*lines, "cpu99999 1 1 1 1 1 1 1 1 0 0"]))
    ticks = os.sysconf("SC_CLK_TCK")
    assert machine_cpu_seconds(stat) == pytest.approx((163 / ticks, 40 / ticks, 500 / ticks))


def test_kills_for_memory_are_counted_between_two_readings() -> None:
    assert kills([3, 0], [5, 1]) == 2
