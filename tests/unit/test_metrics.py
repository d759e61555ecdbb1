"""Each metric on constructed runs whose answer is known."""

import numpy as np
import pandas as pd
import pytest

from trainmark.analyse.run.metrics.accuracy import accuracy_top1
from trainmark.analyse.run.recording import Absent, Run
from trainmark.study import plugins

JOB = {
    "device": "cuda:1",
    "stage": "train",
    "input_mode": "dataset",
    "evaluate": True,
    "max_seconds": 60.0,
    "image_shape": [3, 20, 10],
    "threads": 4,
}
UNBOUNDED = {"job": JOB | {"max_seconds": None}}
DATASET = {"splits": {"train": {"count": 50, "bytes": 50_000}}}
EVENTS = {
    "network": {"parameter_count": 431080, "model_bytes": 1_724_320},
    "built": {"import_seconds": 3.0, "build_seconds": 0.75},
    "first_step": {"time_seconds": 90.0, "seconds": 0.5},
    "parity": {"error": 2.5e-6},
    "warmup": {"steps": 2, "seconds": 1.5},
    "window_start": {"time_seconds": 100.0},
    "window_end": {
        "time_seconds": 104.0,
        "images": 400,
        "wait_seconds": 0.5,
        "step_end_seconds": [1.0, 2.0, 2.5, 4.0],
    },
    "evaluation": {"count": 10, "top1": 80.0, "top5": 100.0, "seconds": 0.25},
}
RECORD = {
    "status": "ok",
    "job": JOB,
    "memory_peak_bytes": 3 * 2**20,
    "gpu_idle_watts": 61.5,
    "host_speed": {"gflops": 231.4, "gigabytes_per_second": 34.25},
    "load": {"own_cpu": 1.5, "other_cpu": 0.01, "steal": 0.0},
}
# Power falls from 300 W at 99 s to 200 W at 101 s and stays; the window is 100 s to 104 s.
COARSE = pd.DataFrame(
    {
        "time_seconds": [99.0, 101.0, 103.0, 105.0],
        "gpu0_power_watts": [300.0, 200.0, 200.0, 200.0],
        "gpu0_energy_joules": [1000.0, 1500.0, 1900.0, 2300.0],
        "gpu0_memory_bytes": [0, 4 * 2**20, 8 * 2**20, 8 * 2**20],
        "own_memory_bytes": [0, 2**20, 2**20, 2**20],
        "cpu_energy_joules": [0.0, 100.0, 200.0, 300.0],
        "own_cpu_seconds": [0.0, 3.0, 6.0, 9.0],
        "own_system_seconds": [0.0, 1.0, 2.0, 3.0],
        "cpu_waiting_seconds": [50.0, 50.5, 51.0, 51.5],
        "own_read_bytes": [0, 4_000_000, 8_000_000, 12_000_000],
        "own_written_bytes": [0, 2_000_000, 4_000_000, 6_000_000],
        "network_received_bytes": [0, 8_000_000, 16_000_000, 24_000_000],
        "network_sent_bytes": [0, 800_000, 1_600_000, 2_400_000],
    }
)

MOMENTS = np.arange(99, 105.5, 0.5)
GPU = pd.DataFrame(
    {
        name: MOMENTS if name == "time_seconds" else np.interp(MOMENTS, COARSE.time_seconds, values)
        for name, values in COARSE.items()
    }
)


def compute(metric, record=RECORD, events=EVENTS, telemetry=GPU, dataset=DATASET):
    return plugins.load("metric", metric)(Run(record, events, telemetry, dataset))


@pytest.mark.parametrize(
    ("metric", "answer"),
    [
        ("training_speed", 100.0),
        ("data_rate", 0.1),
        ("pixel_rate", 0.06),
        ("step_time_median", 1000.0),
        ("drift", 0.0),
        ("training_time", 5.5),
        ("testing_time", 0.25),
        ("accuracy_top1", 80.0),
        ("accuracy_top5", 100.0),
        ("compile_time", 1.25),
        ("data_wait", 12.5),
        ("cpu_memory", 3.0),
        ("cpu_memory_mean", (0.75 + 3.0) / 4),
        ("cpu_user", 1.0),
        ("cpu_system", 0.5),
        ("cpu_waiting", 0.25),
        ("threads", 4.0),
        ("thread_use", 37.5),
        ("disk_read", 2.0),
        ("disk_written", 1.0),
        ("network_received", 4.0),
        ("network_sent", 0.4),
        ("gpu_memory", 8.0),
        ("gpu_memory_mean", (3.0 + 12.0 + 8.0) / 4),
        ("gpu_energy_counter", 850.0),
        ("gpu_energy_sampled", 825.0),
        ("gpu_energy", 850.0),
        ("gpu_idle_power", 61.5),
        ("host_gflops", 231.4),
        ("host_bandwidth", 34.25),
        ("energy_per_1000_images", 850.0 / 0.4),
        ("speed_per_watt", 400 / 850.0),
        ("gpu_power", 212.5),
        ("cpu_power", 50.0),
        ("own_cpu", 1.5),
        ("other_cpu", 0.01),
        ("steal", 0.0),
        ("parity_error", 2.5e-6),
        ("parameter_count", 431080.0),
        ("model_size", 1.72432),
    ],
)
def test_a_metric_of_a_run_whose_answer_is_known(metric, answer):
    assert compute(metric) == pytest.approx(answer)


def test_threads_at_work_are_a_share_of_all_nodes_threads():
    record = RECORD | {"job": JOB | {"device": "cpu:2x1"}}
    assert compute("thread_use", record) == pytest.approx(37.5 / 2)


def test_energy_without_a_counter_integrates_the_sampled_power():
    sampled = GPU.drop(columns="gpu0_energy_joules").assign(gpu0_energy_joules=None)
    assert compute("gpu_energy", telemetry=sampled) == pytest.approx(825.0)
    assert compute("gpu_power", telemetry=sampled) == pytest.approx(825.0 / 4)


def test_waiting_that_linux_takes_back_is_none():
    taken_back = GPU.assign(cpu_waiting_seconds=60 - GPU["time_seconds"] / 100)
    assert compute("cpu_waiting", telemetry=taken_back) == 0.0


def test_several_gpus_are_summed():
    second = GPU.filter(like="gpu0").rename(columns=lambda name: name.replace("gpu0", "gpu1"))
    two = GPU.join(second)
    assert compute("gpu_energy", telemetry=two) == pytest.approx(1700.0)
    assert compute("gpu_memory", telemetry=two) == pytest.approx(16.0)


def test_a_series_is_cut_at_the_windows_edges_and_interpolated_there():
    telemetry = pd.DataFrame(
        {"time_seconds": [99.75, 100.25, 103.75, 104.25], "gpu0_power_watts": [300, 200, 200, 100]}
    )
    power = Run(RECORD, EVENTS, telemetry).series("gpu0_power_watts")
    assert power.index.tolist() == [100.0, 100.25, 103.75, 104.0]
    assert power.tolist() == [250.0, 200.0, 200.0, 150.0]


@pytest.mark.parametrize(
    ("metric", "change", "reason"),
    [
        ("training_speed", {"events": {}}, "the worker's log has no window_end event"),
        ("training_speed", {"record": RECORD | {"job": JOB | {"stage": "evaluate"}}}, "evaluate"),
        ("data_rate", {"record": RECORD | {"job": JOB | {"input_mode": "cached"}}}, "cached"),
        ("data_rate", {"dataset": {}}, "dataset.json is not there"),
        ("accuracy_top1", {"record": RECORD | {"job": JOB | {"evaluate": False}}}, "asks for no"),
        ("parity_error", {"events": EVENTS | {"parity": {"error": None}}}, "not finite"),
        ("cpu_memory", {"record": RECORD | {"memory_peak_bytes": None}}, "no memory sample"),
        ("other_cpu", {"record": RECORD | {"load": None}}, "not readable"),
        ("thread_use", {"record": RECORD | {"load": None}}, "not readable"),
        ("pixel_rate", {"record": RECORD | {"job": JOB | {"stage": "infer"}}}, "stage infer"),
        ("data_rate", {"record": RECORD | {"job": JOB | {"stage": "infer"}}}, "stage infer"),
        ("training_time", {"record": RECORD | {"job": JOB | {"stage": "infer"}}}, "stage infer"),
        ("disk_read", {"telemetry": GPU[["time_seconds"]]}, "Linux doesn't count"),
        ("disk_written", {"telemetry": GPU.assign(own_written_bytes=None)}, "not readable"),
        ("network_sent", {"telemetry": GPU[["time_seconds"]]}, "the machine has no network"),
        ("cpu_system", {"telemetry": GPU[["time_seconds"]]}, "no own_system_seconds"),
        ("gpu_power", {"telemetry": GPU[["time_seconds", "own_memory_bytes"]]}, "no GPU was used"),
        ("cpu_power", {"telemetry": GPU[["time_seconds"]]}, "not readable"),
        ("gpu_memory", {"telemetry": GPU[:2]}, "not readable over the whole window"),
    ],
)
def test_what_a_run_does_not_have_is_absent_with_its_reason(metric, change, reason):
    with pytest.raises(Absent, match=reason):
        compute(metric, **change)


SAMPLED = """gpu_power gpu_energy_sampled gpu_memory_mean cpu_power own_cpu cpu_user cpu_system
    cpu_waiting cpu_memory_mean disk_read disk_written network_received network_sent thread_use"""


@pytest.mark.parametrize("metric", SAMPLED.split())
def test_what_is_sampled_is_absent_from_a_window_of_few_samples(metric):
    short = EVENTS | {"window_end": EVENTS["window_end"] | {"time_seconds": 100.2}}
    reason = "the window of 0.2 s is too short for samples every 0.1 s; ask for more steps"
    with pytest.raises(Absent, match=reason):
        compute(metric, events=short)


def test_the_accuracy_of_a_run_that_was_cut_short_is_not_what_its_case_does_without():
    record = RECORD | {"job": JOB | {"evaluate": False}}
    with pytest.raises(Absent, match="the run was cut short"):
        accuracy_top1(Run(record, EVENTS, loses_evaluation=True))


@pytest.mark.parametrize(("percent", "steps"), [(90, 36), (99, 368)])
def test_a_percentile_of_step_times_takes_as_many_steps_as_one_of_latencies_calls(percent, steps):
    seconds = np.linspace(0, 8 / steps, steps)  # 4 in all, as the window has
    window = {**EVENTS["window_end"], "step_end_seconds": list(np.cumsum(seconds))}
    metric, answer = f"step_time_p{percent}", 80 * percent / steps
    assert compute(metric, events={**EVENTS, "window_end": window}) == pytest.approx(answer)
    window["step_end_seconds"] = window["step_end_seconds"][1:]
    with pytest.raises(Absent, match=f"{steps - 1} steps bound no {percent}th percentile"):
        compute(metric, events={**EVENTS, "window_end": window})


@pytest.mark.parametrize("metric", ["step_time_median", "data_wait"])
def test_steps_that_were_only_queued_have_no_times(metric):
    queued = {**EVENTS["window_end"], "step_end_seconds": [0.01 * n for n in range(1, 9)]}
    with pytest.raises(Absent, match="returns before they are done"):
        compute(metric, record=RECORD | UNBOUNDED, events={**EVENTS, "window_end": queued})


@pytest.mark.parametrize("metric", ["step_time_median", "step_time_p99", "drift", "data_wait"])
def test_steps_that_may_have_been_queued_as_they_are_few_have_no_times(metric):
    first_waits_for_its_input = [2.0332, 2.0333, 2.0334]
    queued = {**EVENTS["window_end"], "step_end_seconds": first_waits_for_its_input}
    with pytest.raises(Absent, match="fewer than 8 steps don't show"):
        compute(metric, record=RECORD | UNBOUNDED, events={**EVENTS, "window_end": queued})


def test_a_few_steps_have_times_where_each_is_waited_for():
    waited_for = {**EVENTS["window_end"], "step_end_seconds": [1.5, 2.5, 4.0]}
    assert compute("step_time_median", events={**EVENTS, "window_end": waited_for}) == 1500.0


def test_a_wait_that_no_log_tells_of_is_absent():
    silent = {**EVENTS["window_end"], "wait_seconds": None}
    with pytest.raises(Absent, match="doesn't say how long it waited"):
        compute("data_wait", events={**EVENTS, "window_end": silent})
