"""Telemetry: schedule, CSV, and hardware replayed from recordings."""

import csv
import io
import os
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest

from trainmark.analyse.run.metrics import (
    energy_per_1000_images,
    gpu_energy_sampled,
    gpu_memory_mean,
    gpu_power,
)
from trainmark.analyse.run.recording import Run
from trainmark.machine import gpu, processes
from trainmark.machine.gpu import Gpu, GpuSample, choose
from trainmark.machine.idle_power import idle_watts
from trainmark.machine.out_of_memory import kill_counts, kills
from trainmark.machine.processes import Descendants, Usage
from trainmark.machine.rapl import Rapl
from trainmark.machine.telemetry import (
    INTERVAL_SECONDS,
    Sample,
    Sampler,
    interfaces,
    machine_cpu_seconds,
    network_bytes,
    to_csv,
)


class NvmlError(Exception):
    """What pynvml raises for a value that a GPU doesn't have."""


class Nvml:
    """Replays values as NVML gave them; an absent one is "not supported"."""

    NVMLError = NvmlError
    NVML_CLOCK_SM = 1
    NVML_TEMPERATURE_GPU = 0

    def __init__(self, recording: dict[str, Any], count: int = 1) -> None:
        self.recording = recording
        self.count = count

    def nvmlInit(self) -> None:  # noqa: N802
        if not self.count:
            raise NvmlError("Driver Not Loaded")

    def nvmlDeviceGetCount(self) -> int:  # noqa: N802
        return self.count

    def nvmlDeviceGetHandleByIndex(self, index: int) -> int:  # noqa: N802
        return index

    def nvmlDeviceGetUUID(self, handle: int) -> str:  # noqa: N802
        return f"GPU-{handle}f3a"

    def nvmlSystemGetDriverVersion(self) -> str:  # noqa: N802
        return "550.54.15"

    def __getattr__(self, name: str) -> Any:
        def function(handle: int, *arguments: int) -> Any:
            if name not in self.recording:
                raise NvmlError("Not Supported")
            return self.recording[name]

        return function


BUSY = {
    "nvmlDeviceGetName": "NVIDIA H200",
    "nvmlDeviceGetMemoryInfo": SimpleNamespace(used=3 * 2**30),
    "nvmlDeviceGetComputeRunningProcesses": [
        SimpleNamespace(pid=101, usedGpuMemory=2**30),
        SimpleNamespace(pid=102, usedGpuMemory=2**29),
        SimpleNamespace(pid=999, usedGpuMemory=2**30),
    ],
    "nvmlDeviceGetPowerUsage": 412_500,
    "nvmlDeviceGetTotalEnergyConsumption": 7_000_500,
    "nvmlDeviceGetUtilizationRates": SimpleNamespace(gpu=97, memory=40),
    "nvmlDeviceGetClockInfo": 1980,
    "nvmlDeviceGetTemperature": 61,
    "nvmlDeviceGetCurrentClocksThrottleReasons": 4,
}


def test_a_gpu_in_si_units_with_the_memory_of_the_runs_own_processes() -> None:
    device = Gpu(Nvml(BUSY), 0)
    sample = device.sample({101, 102})
    assert sample == GpuSample(3 * 2**29, 412.5, 7000.5, 97, 1980, 61, 4, 1)
    assert device.describe() == {
        "name": "NVIDIA H200",
        "uuid": "GPU-0f3a",
        "driver": "550.54.15",
        "memory_method": "process",
    }


def test_a_gpu_whose_processes_are_told_by_foreign_pids_gives_all_its_memory() -> None:
    device = Gpu(Nvml(BUSY), 0)
    sample = device.sample({1})
    assert (sample.memory_bytes, sample.other_processes) == (3 * 2**30, None)
    assert device.memory_method == "device"


def test_what_a_gpu_cant_tell_is_none() -> None:
    assert set(Gpu(Nvml({}), 0).sample({1})) == {None}


def test_no_driver_is_no_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gpu, "import_module", lambda name: Nvml({}, count=0))
    assert gpu.find() == []


def test_a_gpu_that_is_lost_leaves_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    class FirstIsLost(Nvml):
        def nvmlDeviceGetHandleByIndex(self, index: int) -> int:  # noqa: N802
            if index == 0:
                raise NvmlError("GPU is lost")
            return index

    monkeypatch.setattr(gpu, "import_module", lambda name: FirstIsLost(BUSY, count=3))
    assert [device.index for device in gpu.find()] == [1, 2]


def test_too_few_gpus_are_said_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gpu, "import_module", lambda name: Nvml(BUSY, count=1))
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    told = [gpu.lacking(device, gpu.for_device(device)) for device in ("cpu:2", "cuda:1", "cuda:2")]
    assert told == [None, None, "cuda:2 asks for 2 GPUs, and there is one here"]


def test_idle_power_is_the_sum_over_the_gpus() -> None:
    gpus = [Gpu(Nvml(BUSY, count=2), index) for index in range(2)]
    assert idle_watts(gpus, seconds=0.01) == pytest.approx(2 * 412.5)
    assert idle_watts([*gpus, Gpu(Nvml({}), 2)], seconds=0.01) is None
    assert idle_watts([]) is None


def test_a_cpu_run_uses_no_gpu_whatever_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gpu, "import_module", lambda name: Nvml(BUSY, count=2))
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    assert gpu.for_device("cpu") == []
    assert [device.uuid for device in gpu.for_device("cuda:1")] == ["GPU-0f3a"]
    assert len(gpu.for_device("cuda:4")) == 2


@pytest.mark.parametrize(
    ("visible", "expected"),
    [
        (None, [0, 1]),
        ("2,0", [2, 0]),
        ("GPU-3f", [3]),
        ("", []),
        ("3,1,2", [3, 1]),
        ("1,1,0", [1, 0]),
    ],
)
def test_the_gpus_left_visible_by_the_user_are_used(
    visible: str | None, expected: list[int]
) -> None:
    gpus = [Gpu(Nvml({}), index) for index in range(4)]
    assert [device.index for device in choose(gpus, 2, visible)] == expected


def test_a_process_started_between_two_samples_is_in_the_second() -> None:
    family = Descendants()
    started = []
    try:
        for _ in range(3):
            started.append(subprocess.Popen(["sleep", "60"]))
            assert family.usage().pids == {process.pid for process in started}
    finally:
        for process in started:
            process.kill()
            process.wait()
    assert family.usage().pids == set()


PARENT_OF_ONE_THAT_ENDS = """
import subprocess, sys
child = [sys.executable, "-S", "-c", sys.argv[1], sys.argv[2]]
print(subprocess.run(child, stdout=subprocess.PIPE).stdout.decode(), end="", flush=True)
sys.stdin.read()
"""
WRITES = """
import os, sys, time
with open("/dev/zero", "rb", buffering=0) as zeros, open(sys.argv[1], "wb") as file:
    while time.process_time() < 0.3:
        page = zeros.read(2**20)
    file.write(page)
    file.flush()
    os.fsync(file.fileno())
told = dict(line.split() for line in open("/proc/self/io"))
print(os.times().system, told["write_bytes:"])
"""


def test_what_a_process_that_ended_used_is_not_lost(tmp_path: Path) -> None:
    family = Descendants()
    command = [sys.executable, "-S", "-c", PARENT_OF_ONE_THAT_ENDS, WRITES, tmp_path / "file"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, text=True, **pipes) as process:
        assert process.stdout
        system_seconds, written_bytes = process.stdout.readline().split()
        used = family.usage()
        assert used.pids == {process.pid}
        assert used.cpu_seconds >= used.system_seconds >= float(system_seconds) > 0.1
        counted = family.disk_bytes(used.pids)
        assert counted and counted[1] >= int(written_bytes)
        process.communicate()
    assert family.usage().cpu_seconds >= used.cpu_seconds
    assert family.disk_bytes(set()) == counted


def test_what_another_users_process_reads_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(pid: int) -> tuple[int, int]:
        raise PermissionError

    family = Descendants()
    monkeypatch.setattr(processes, "disk_bytes", refuse)
    assert family.disk_bytes({os.getpid()}) is None


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
    found = interfaces(tmp_path / "net")
    assert found == {b"eth0", b"wlan0"}
    assert network_bytes(found, table) == (50_700, 5_070)


def test_a_container_sees_interfaces_without_a_device(tmp_path: Path) -> None:
    for name in ("lo", "eth0"):
        (tmp_path / name).mkdir()
    assert interfaces(tmp_path) == {b"eth0"}


def test_a_machine_without_a_network_has_no_traffic(tmp_path: Path) -> None:
    table = tmp_path / "dev"
    table.write_text(INTERFACES)
    assert network_bytes(interfaces(tmp_path / "none"), table) is None


def zone(folder: Path, file: str, microjoules: int, name: str = "package-0") -> None:
    place = folder / file
    place.mkdir(exist_ok=True)
    (place / "name").write_text(f"{name}\n")
    (place / "energy_uj").write_text(f"{microjoules}\n")
    (place / "max_energy_range_uj").write_text("10000000\n")


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
    own = min(os.sched_getaffinity(0))
    lines = ["cpu  9 9 9 9 9 9 9 9 9 9", f"cpu{own} 100 20 30 9999 500 6 7 40 3 0"]
    stat.write_text("\n".join([*lines, "cpu99999 1 1 1 1 1 1 1 1 0 0"]))
    ticks = os.sysconf("SC_CLK_TCK")
    assert machine_cpu_seconds(stat) == pytest.approx((163 / ticks, 40 / ticks, 500 / ticks))


def test_kills_for_memory_are_counted_between_two_readings() -> None:
    assert kills([3, 0], [5, 1]) == 2
    assert kills(kill_counts(), kill_counts()) >= 0


def test_a_replayed_run_on_two_gpus_becomes_its_measurements(tmp_path: Path) -> None:
    """One draws 100 W by a counter and by samples, the other 300 W; both hold 1.5 GiB of ours."""
    nvmls = [Nvml({**BUSY, "nvmlDeviceGetPowerUsage": watts * 1000}) for watts in (100, 300)]
    gpus = [Gpu(nvml, index) for index, nvml in enumerate(nvmls)]
    sampler = Sampler(Own(), gpus, rapl=None, interval_seconds=0.02)
    start = time.monotonic()
    for _ in range(60):
        moment = time.monotonic() - start
        for nvml, watts in zip(nvmls, (100, 300), strict=True):
            nvml.recording["nvmlDeviceGetTotalEnergyConsumption"] = moment * watts * 1000
        sampler.take()
        time.sleep(sampler.seconds_to_next())
    (tmp_path / "telemetry.csv").write_text(to_csv(sampler.samples))
    first, *_, last = [sample.time_seconds for sample in sampler.samples]
    run = Run(
        {"job": {"device": "cuda:2"}},
        {
            "window_start": {"time_seconds": first + 0.05},
            "window_end": {"time_seconds": last - 0.05, "images": 500},
        },
        pd.read_csv(tmp_path / "telemetry.csv"),
    )
    assert gpu_power.compute(run) == pytest.approx(400, rel=0.02)
    assert gpu_energy_sampled.compute(run) == pytest.approx(400 * run.window_seconds)
    assert gpu_memory_mean.compute(run) == pytest.approx(2 * 1536)
    joules_per_image = energy_per_1000_images.compute(run) / 1000
    assert joules_per_image == pytest.approx(400 * run.window_seconds / 500, rel=0.02)


class Own:
    """Stands for the run's processes, by the pids of the recording."""

    def usage(self) -> Usage:
        return Usage(0.0, 0.0, 0, {101, 102})

    def disk_bytes(self, pids: set[int]) -> None:
        return None
