"""Latency: what calls that were waited for one by one can tell, and what they can't."""

import time
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from examples import LENET

from trainmark.analyse.along.batches import by_batch
from trainmark.analyse.compare.latencies import of_configurations
from trainmark.analyse.csv.measurements import tabulate
from trainmark.analyse.run import percentiles
from trainmark.analyse.run.metrics.latency import (
    latency_first,
    latency_mean,
    latency_p50,
    latency_p99,
)
from trainmark.analyse.run.metrics.speed import inference_speed, training_speed
from trainmark.analyse.run.metrics.step_times import step_time_median
from trainmark.analyse.run.recording import Absent
from trainmark.report.tables import benchmark_csv, iteration
from trainmark.report.tables import latency as table
from trainmark.runs import events
from worker.job import Job
from worker.stages import train
from worker.timing import calls

JOB = Job(**LENET)._replace(stage="infer", warmup_steps=0, warmup_limit_seconds=0)


@pytest.mark.parametrize(("percent", "needed"), [(50, 6), (90, 36), (95, 72), (99, 368)])
def test_a_percentile_needs_calls_of_which_the_slowest_bounds_it(percent, needed):
    assert percentiles.fewest(percent) == needed
    assert (percent / 100) ** needed <= 0.025 < (percent / 100) ** (needed - 1)


def test_the_interval_of_a_percentile_is_by_ranks():
    milliseconds = np.arange(1.0, 401.0)
    assert percentiles.interval(milliseconds, 99) == (392, 400)
    assert percentiles.interval(milliseconds, 50) == (180, 221)


def test_the_interval_holds_the_percentile_in_95_of_100_samples():
    dice = np.random.default_rng(1)
    true = -np.log(0.1)  # the 90th percentile of the exponential distribution
    intervals = [percentiles.interval(dice.exponential(size=100), 90) for _ in range(1000)]
    assert np.mean([low <= true <= high for low, high in intervals]) >= 0.93


@pytest.fixture
def one(predicting_runs):
    """A run of 400 calls of one image."""
    return next(run for run in predicting_runs if run.job["batch_size"] == 1)


@pytest.fixture
def few(predicting_runs):
    """A run of 40 calls of eight images."""
    return next(run for run in predicting_runs if run.job["batch_size"] == 8)


def test_the_metrics_of_a_run_that_predicts(one):
    assert latency_p50(one) == pytest.approx(1.5, abs=0.01)
    assert latency_mean(one) == pytest.approx(1.5, abs=0.01)
    assert latency_p99(one) == pytest.approx(1.99, abs=0.01)
    assert latency_first(one) == 1000 * one.events["first_step"]["seconds"]
    assert inference_speed(one) == pytest.approx(400 / one.window_seconds)


def test_a_run_that_predicts_has_no_speed_of_training_and_no_step_times(one):
    for metric in (training_speed, step_time_median):
        with pytest.raises(Absent, match="infer"):
            metric(one)


def test_too_few_calls_have_no_99th_percentile_and_say_how_many_it_takes(few):
    assert latency_p50(few) == pytest.approx(12, abs=0.1)
    with pytest.raises(Absent, match="40 calls bound no 99th percentile; it takes 368"):
        latency_p99(few)


def test_training_without_latency_steps_has_no_latency_and_says_what_asks_for_it(recorded_runs):
    trained = next(run for run in recorded_runs if run.record["status"] == "ok")
    with pytest.raises(Absent, match="latency_steps"):
        latency_p50(trained)


def test_the_calls_of_all_repeats_are_one_sample(sources):
    summaries = of_configurations(sources["latencies"])
    predicts = (summaries["batch_size"] == 1) & (summaries["input_mode"] == "synthetic")
    pytorch = summaries[predicts & (summaries["framework"] == "pytorch")]
    assert list(pytorch["n"].unique()) == [3]
    assert set(pytorch["milliseconds"].map(len)) == {3 * 400}


def test_the_table_has_percentiles_with_intervals_and_each_row_without_calls_its_reason(sources):
    numbers = table.make(sources["latencies"])
    predicts = (numbers["batch_size"] == 1) & (numbers["input_mode"] == "synthetic")
    valued = numbers[predicts]
    assert (valued["p99_low"] < valued["p99"]).all()
    assert (valued["p99"] < valued["p99_high"]).all()
    few = numbers[numbers["batch_size"] == 8]
    assert few["p99"].isna().all()
    assert few["p50"].notna().all()
    shown = table.show(numbers)
    without = shown[shown["calls"] == "-"]
    assert without["status"].str.len().min() > 2


def test_what_is_doubtful_of_some_runs_is_reported_beside_their_latencies(sources):
    latencies = sources["latencies"].copy()
    first = latencies.index[latencies["milliseconds"].map(len) > 0][0]
    latencies.loc[first, "reason"] = "step times were not steady before the window"
    shown = table.show(table.make(latencies))
    status = "ok *; 1 of 3 runs: step times were not steady before the window"
    assert list(shown["status"]).count(status) == 1


def test_an_iteration_has_a_column_for_each_case_batch_and_stage(sources):
    shown = iteration.show(iteration.make(sources["measurements"]))
    named = {"lenet-digits b1 infer synthetic", "lenet-digits b8 infer synthetic"}
    assert named <= set(shown.columns)


def test_an_iteration_has_a_column_for_each_input_mode_of_a_stage(predicting_runs):
    gradients = [run for run in predicting_runs if run.job["stage"] == "gradients"]
    training = tabulate(map(as_training, gradients))
    both = pd.concat([training, training.assign(input_mode="dataset")], ignore_index=True)
    columns = iteration.show(iteration.make(both)).columns
    assert {"lenet-digits train synthetic", "lenet-digits train dataset"} <= set(columns)


def test_an_update_is_what_training_takes_beyond_its_gradients(predicting_runs):
    gradients = [run for run in predicting_runs if run.job["stage"] == "gradients"]
    made = iteration.make(tabulate([*predicting_runs, *map(as_training, gradients)]))
    by_configuration = made.set_index(["case", "framework", "batch_size"]).sort_index()
    means = by_configuration.loc["lenet-digits", "pytorch", 8].set_index("stage")["mean"]
    assert means["update"] == pytest.approx(means["train"] - means["gradients"])
    assert "lenet-digits b8 update" in iteration.show(made).columns
    assert "update: train less gradients" in iteration.notes(made)[1]


def test_an_iteration_is_explained_for_the_stages_that_there_are(predicting_runs):
    [_, note, *_] = iteration.notes(iteration.make(tabulate(predicting_runs)))
    assert note.endswith("infer: forward; gradients: forward and backward, no update.")


def as_training(run):
    """A run of gradients as if it had been of training, each call a third longer."""
    job = {**run.job, "stage": "train", "latency_steps": 40}
    slower = [4 / 3 * seconds for seconds in run.events["latency"]["call_seconds"]]
    events = {**run.events, "latency": {**run.events["latency"], "call_seconds": slower}}
    return replace(run, record={**run.record, "job": job}, events=events)


def test_the_gpu_benchmarks_columns_and_words(sources):
    made = benchmark_csv.make(sources["latencies"])
    assert list(made) == [
        "Timestamp",
        "Framework",
        "Algoritem",
        "BenchStage",
        "Precision",
        "Result",
    ]
    row = made[(made["BenchStage"] == "eval") & made["Result"].notna()].iloc[0]
    assert (row["Algoritem"], row["Precision"], row["Result"]) == ("lenet", "fp32", "1.5ms")


def test_batches_are_in_rising_order_and_have_both_numbers(predicting_runs):
    batches = by_batch(tabulate(predicting_runs))
    assert list(batches["batch_size"].unique()) == [1, 8]
    assert batches[["latency", "speed"]].notna().all(axis=None)


def printed_events(capsys):
    return events.parse(capsys.readouterr().out)


class Clock:
    """Counts the calls and what was waited for."""

    def __init__(self):
        self.queued = self.waited = self.synchronised = 0

    def queue(self):
        self.queued += 1

    def wait(self):
        self.waited += 1

    def synchronise(self):
        self.synchronised += 1


def test_latency_waits_for_each_call_and_throughput_once_at_both_ends(capsys):
    clock = Clock()
    job = JOB._replace(steps=7, warmup_steps=2)
    calls.measure(clock, job, clock.queue, clock.wait)
    assert (clock.queued, clock.waited, clock.synchronised) == (7, 9, 2)
    events = {event["event"]: event for event in printed_events(capsys)}
    assert len(events["latency"]["call_seconds"]) == 7
    assert events["window_end"]["images"] == 7 * job.batch_size
    assert events["latency"]["time_seconds"] <= events["window_start"]["time_seconds"]


class Trainer:
    """Notes the rate of each training step; its velocity is without the rate, as PyTorch's is."""

    def __init__(self):
        self.rate, self.rates = 0.5, []
        self.velocity = self.factor = 1.0

    def set_rate(self, rate):
        self.factor, self.rate = self.rate / rate, rate

    def train_step(self, batch):
        self.rates.append(self.rate)
        self.velocity *= self.factor

    def synchronise(self):
        """Nothing to wait for."""


def test_training_steps_are_timed_at_hardly_any_rate_after_two_that_are_not(capsys):
    trainer = Trainer()
    train.step_latency(trainer, JOB._replace(learning_rate=0.5, latency_steps=5), batch=None)
    (latency,) = printed_events(capsys)
    assert len(latency["call_seconds"]) == 5
    assert trainer.rates == [0.5 * train.SETTLING_FACTOR] * 7
    assert trainer.velocity == pytest.approx(1 / train.SETTLING_FACTOR)  # scaled once


class Queue:
    """Takes ten milliseconds a call, and returns before."""

    def __init__(self):
        self.calls, self.due = 0, 0.0

    def call(self):
        self.due = max(self.due, time.monotonic()) + 0.01
        self.calls += 1

    def synchronise(self):
        time.sleep(max(0.0, self.due - time.monotonic()))


def test_calls_that_are_queued_fill_the_least_seconds_and_no_more(capsys):
    queue = Queue()
    calls.together(queue.call, queue.synchronise, 2, JOB._replace(window_seconds=0.2))
    (start, end) = printed_events(capsys)
    assert end["time_seconds"] - start["time_seconds"] >= 0.2
    assert 2 < queue.calls == end["steps"] <= 25


def test_the_study_may_end_queued_calls_before_their_least_seconds():
    queue = Queue()
    job = JOB._replace(window_seconds=60.0, max_seconds=0.1)
    calls.together(queue.call, queue.synchronise, 2, job)
    assert queue.calls <= 15


class Elsewhere:
    """Another process, whose calls take 1/128 of a second by its own clock."""

    def __init__(self):
        self.requested = []

    def call_seconds(self, count, max_seconds):
        self.requested.append(count)
        return [1 / 128] * count

    def memory(self):
        return {"empty_bytes": 1, "peak_bytes": 2}


@pytest.mark.parametrize(
    ("max_seconds", "requested"), [(None, [2, 2, 18, 12]), (0.125, [2, 2, 14])]
)
def test_calls_elsewhere_fill_the_least_seconds_in_few_requests(capsys, max_seconds, requested):
    """The first are for the latency; each further one has many calls."""
    process = Elsewhere()
    job = JOB._replace(steps=2, window_seconds=0.25, max_seconds=max_seconds)
    calls.measure_elsewhere(process, job, lambda: None)
    assert process.requested == requested
    window = {event["event"]: event for event in printed_events(capsys)}["window_end"]
    assert window["steps"] == sum(requested[1:])


def test_a_limit_of_seconds_ends_warm_up_and_both_passes_which_have_as_many_calls(capsys):
    clock = Clock()
    endless = JOB._replace(steps=10**9, warmup_steps=10**9, max_seconds=0.01)
    calls.measure(clock, endless, clock.queue, clock.wait)
    events = {event["event"]: event for event in printed_events(capsys)}
    assert len(events["latency"]["call_seconds"]) == events["window_end"]["steps"] == clock.queued
    assert clock.waited == clock.queued + events["warmup"]["steps"]
