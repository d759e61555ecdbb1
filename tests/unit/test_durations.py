"""How long a run will take, by the runs and the arithmetic of earlier ones."""

import json

import pytest
from timed_runs import JAX, SETTINGS, measured, of

from trainmark.watch.durations import JOB_OVERHEAD_SECONDS, earlier


def test_a_run_takes_an_overhead_and_its_steps_at_the_rate_of_earlier_ones():
    durations = of(measured())
    assert durations.of(SETTINGS) == pytest.approx(5 + 100 * 0.01)
    assert durations.of({**SETTINGS, "steps": 1000}) == pytest.approx(5 + 1000 * 0.01)
    assert durations.of({**SETTINGS, "batch_size": 128}) == pytest.approx(5 + 100 * 0.02)
    assert durations.of({**SETTINGS, "warmup_steps": 50}) == pytest.approx(5 + 150 * 0.01)
    assert durations.of({**SETTINGS, "steps": 10**6, "max_seconds": 60}) == pytest.approx(65.01)
    assert durations.of({**SETTINGS, "window_seconds": 30}) == pytest.approx(35)
    limited = {**SETTINGS, "warmup_steps": 10**6, "max_seconds": 0.5}
    assert durations.of(limited) == pytest.approx(5 + 2 * (0.5 + 0.01))


def test_a_run_that_is_evaluated_while_it_learns_trains_twice():
    evaluated = {**SETTINGS, "warmup_steps": 50, "evaluate_every": 10}
    assert of(measured()).of(evaluated) == pytest.approx(5 + 2 * 150 * 0.01)


def test_calls_are_made_twice_once_one_by_one_and_once_together():
    predicting = {**SETTINGS, "stage": "infer"}
    durations = of(measured(predicting))
    assert durations.of({**predicting, "steps": 1000}) - durations.of(predicting) == pytest.approx(
        2 * 900 * 0.01
    )


def test_of_many_runs_of_equal_work_the_median_counts():
    others = [{**SETTINGS, "framework": f"framework-{number}"} for number in range(40)]
    durations = of(*(measured(each, step_seconds=0.001 * n) for n, each in enumerate(others, 1)))
    assert durations.of({**SETTINGS, "framework": "new"}) == pytest.approx(
        5 + 100 * 0.0205, rel=0.1
    )


def test_the_most_similar_runs_count():
    durations = of(measured(), measured(JAX, step_seconds=0.04))
    assert durations.of(SETTINGS) == pytest.approx(5 + 1)
    assert durations.of(JAX) == pytest.approx(5 + 4)
    assert 6 < durations.of({**SETTINGS, "framework": "mxnet"}) < 9


@pytest.mark.parametrize(
    "change", [{"network": "vgg16", "image_shape": [3, 224, 224]}, {"batch_size": 1}]
)
def test_steps_of_more_than_tenfold_the_arithmetic_are_unknown(change):
    assert of(measured()).of({**SETTINGS, **change}) is None


def test_a_run_that_failed_at_once_says_nothing_of_others():
    durations = of(measured(status="unsupported", window=None, wall_seconds=1))
    assert durations.of(SETTINGS) == 1
    assert durations.of(JAX) is None


def test_earlier_runs_are_known_by_their_records(tmp_path):
    folder = tmp_path / "study" / "runs" / "case" / "r1"
    folder.mkdir(parents=True)
    content, seconds = measured(attempts=3)
    (folder / "run.json").write_text(json.dumps(content))
    assert 3 * seconds < earlier(tmp_path).of(SETTINGS) < 3 * seconds + 5


def test_a_run_elsewhere_says_nothing_of_one_here():
    durations = of(measured())
    assert durations.of({**SETTINGS, "device": "cuda:1"}) is None
    assert durations.of({**SETTINGS, "machine_name": "node"}) is None


def test_a_network_that_is_there_no_more_is_passed_over(tmp_path):
    for name, settings in (("old", {**SETTINGS, "network": "gone"}), ("now", SETTINGS)):
        folder = tmp_path / name / "runs" / "r1"
        folder.mkdir(parents=True)
        (folder / "run.json").write_text(json.dumps(measured(settings)[0]))
    assert earlier(tmp_path).of(SETTINGS) == pytest.approx(6 + 2)


def measured_before(tmp_path, status):
    folder = tmp_path / "study" / "runs" / "r1"
    folder.mkdir(parents=True)
    content, _ = measured(status=status, window=None, wall_seconds=0, attempts=0)
    (folder / "run.json").write_text(json.dumps(content))
    return earlier(tmp_path).of(SETTINGS)


def test_what_is_unsupported_takes_no_time_but_what_was_unavailable_may_be_there(tmp_path):
    assert measured_before(tmp_path / "a", "unsupported") == JOB_OVERHEAD_SECONDS
    assert measured_before(tmp_path / "b", "unavailable") is None
