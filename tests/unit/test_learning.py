"""Accuracy while training goes on: what is timed, what becomes of it, and what makes no sense."""

import numpy as np
import pytest
from examples import LENET
from small_study import case, make

from trainmark.analyse.csv import accuracies
from trainmark.analyse.run.metrics.accuracy import time_to_accuracy
from trainmark.analyse.run.recording import Absent, Run
from trainmark.errors import TrainmarkError
from trainmark.runs import events
from trainmark.study import plugins
from worker.accuracy import learning
from worker.input import modes
from worker.job import Job

EVENTS = {
    "accuracies": {
        "steps": [100, 200, 300],
        "seconds": [4.5, 9.0, 13.5],
        "top1": [50.0, 91.0, 90.0],
        "top5": [90.0, 99.0, 99.0],
    }
}


class Adapter:
    """Takes two seconds a step and a minute a prediction, and knows one more image by each step."""

    def __init__(self):
        self.now, self.steps = 0.0, 0

    def train_step(self, batch):
        self.now += 2
        self.steps += 1

    def predict(self, batch):
        self.now += 60
        labels = np.arange(10)
        answers = np.where(labels < self.steps, labels, (labels + 1) % 10)
        return np.eye(10)[answers], labels

    def predictions(self, batches):
        return map(self.predict, batches)

    def synchronise(self):
        pass


def shuffled_batches(adapter):
    """Batches without end; an epoch of images is read before the first one, in a minute."""
    adapter.now += 60
    yield from iter(int, 1)


@pytest.mark.parametrize("batches", [lambda adapter: iter(int, 1), shuffled_batches])
def test_seconds_are_of_training_alone_and_evaluations_come_after_so_many_steps(
    capsys, monkeypatch, batches
):
    adapter = Adapter()
    monkeypatch.setattr(learning.time, "monotonic", lambda: adapter.now)
    monkeypatch.setattr(modes, "batches", lambda *arguments: [None])
    job = Job(**{**LENET, "warmup_steps": 1, "steps": 7, "evaluate_every": 3})
    learning.measure(adapter, job, adapter.train_step, batches(adapter))
    curve = events.last(events.parse(capsys.readouterr().out), "accuracies")
    assert (curve["steps"], curve["seconds"], curve["top1"]) == ([3, 6], [6, 12], [30, 60])


def run(**changes):
    settings = {"job": {**LENET, "evaluate_every": 100, **changes}}
    return lambda **more: Run(settings, EVENTS, **more)


@pytest.mark.parametrize(("target", "seconds"), [(40, 4.5), (50, 4.5), (91, 9.0), (90.5, 9.0)])
def test_the_time_to_an_accuracy_is_that_of_the_first_evaluation_which_has_it(target, seconds):
    assert time_to_accuracy(run()(target_accuracy=target)) == seconds


@pytest.mark.parametrize(
    ("trained", "reason"),
    [
        (run()(target_accuracy=99), "accuracy reached 91.00 % in 300 steps, not 99 %"),
        (run()(), "asks for no target_accuracy"),
        (run(evaluate_every=0)(), "asks for no evaluations while it trains"),
        (run(evaluate_every=0)(loses_evaluation=True), "the run was cut short"),
        (Run({"job": {**LENET, "evaluate_every": 5}}), "the framework's own program trains"),
    ],
)
def test_a_time_that_there_is_not_is_absent_with_its_reason(trained, reason):
    with pytest.raises(Absent, match=reason):
        time_to_accuracy(trained)


def test_each_evaluation_is_a_row_and_a_run_without_any_has_one_that_says_why(recorded_runs):
    table = accuracies.tabulate(recorded_runs).set_index(["case", "framework", "repeat"])
    learnt = table.loc[("lenet-digits", "pytorch", 1)]
    assert learnt["steps"].tolist() == [5, 10, 15, 20, 25]
    assert learnt["top1"].is_monotonic_increasing and learnt["seconds"].is_monotonic_increasing
    silent = table.loc[("resnet50-cifar10", "pytorch", 1)]
    assert "no evaluations while it trains" in silent["absent"]
    assert table["top1"].isna().equals(table["absent"].notna())


def test_evaluations_of_a_training_are_no_matter_of_its_predictions():
    study = make(
        stages=["train", "infer"],
        input_modes=["dataset", "synthetic"],
        cases=case(steps=100, evaluate_every=50),
        overrides=[{"where": {"stage": "infer"}, "set": {"steps": 4}}],
    )
    steps = {run.settings["stage"]: run.settings["steps"] for run in study.runs.values()}
    assert steps == {"train": 100, "infer": 4}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"target_accuracy": 90}, "target_accuracy needs evaluate_every, the steps from one"),
        (
            {"target_accuracy": 2, "evaluate_every": 5},
            "target_accuracy 2 is in percent, of which guessing among 10 classes gives 10; choose",
        ),
        ({"evaluate_every": 11}, "evaluate_every 11 is more than the 10 steps of the training"),
        ({"evaluate_every": -1}, "cases.lenet-digits.evaluate_every: -1 is less than the minimum"),
        (
            {"evaluate_every": 5, "target_accuracy": 101},
            "cases.lenet-digits.target_accuracy: 101 is greater than the maximum of 100",
        ),
    ],
)
def test_evaluations_that_make_no_sense_are_refused_in_one_line(changes, message):
    with pytest.raises(TrainmarkError, match=message):
        make(cases=case(**changes))


def test_a_stage_that_does_not_train_has_no_evaluations_on_its_way():
    predicting = {"stages": ["infer"], "input_modes": ["synthetic"]}
    with pytest.raises(TrainmarkError, match="updates weights, which learning_rate, evaluate_ever"):
        make(cases=case(evaluate_every=5), **predicting)
    both = make(cases=case(evaluate_every=5), **{**predicting, "stages": ["train", "infer"]})
    every = {run.settings["stage"]: run.settings["evaluate_every"] for run in both.runs.values()}
    assert every == {"train": 5, "infer": 0}


def test_a_run_that_is_cut_short_is_not_evaluated_on_its_way_either():
    runs = make(cases=case(evaluate_every=5, evaluate=False), max_steps=5).runs.values()
    assert {(run.settings["evaluate_every"], run.loses_evaluation) for run in runs} == {(0, True)}


def test_another_target_makes_no_other_run():
    plans = [
        make(cases=case(evaluate_every=5, **target))
        for target in ({}, {"target_accuracy": 90}, {"target_accuracy": 95})
    ]
    runs = [run for plan in plans for run in plan.runs.values()]
    assert len({run.params for run in runs if run.settings["repeat"] == 1}) == 2
    labels = [plan.labels(run) for plan in plans for run in list(plan.runs.values())[:1]]
    assert labels == [{}, {"target_accuracy": 90}, {"target_accuracy": 95}]


def test_the_curves_are_drawn_where_a_study_asks_for_them():
    def figures(**changes):
        return plugins.applicable("figure", [run.settings for run in make(**changes).runs.values()])

    curves = {"accuracy_steps", "accuracy_seconds"}
    assert curves <= set(figures(cases=case(evaluate_every=5)))
    assert not curves & set(figures())
    assert not curves & set(figures(cases=case(evaluate_every=5), max_steps=3))
