"""Accuracy while training goes on: a further training, the same as the timed one."""

import itertools

import examples
import pytest

from trainmark.runs import events

ADAPTERS = ["pytorch", "mxnet"]
JOB = {**examples.LENET, "steps": 36, "warmup_steps": 4, "evaluate_every": 10}


@pytest.mark.parametrize("adapter", ADAPTERS)
def test_training_anew_with_evaluations_on_its_way_learns_what_the_timed_training_did(
    adapter, run_events
):
    log = run_events(adapter, JOB).events
    learnt, window = events.last(log, "accuracies"), events.last(log, "window_end")
    assert learnt["steps"] == [10, 20, 30, 40]
    assert all(before < after for before, after in itertools.pairwise([0, *learnt["seconds"]]))
    evaluation = events.last(log, "evaluation")
    for accuracy in ("top1", "top5"):
        assert learnt[accuracy][-1] == pytest.approx(evaluation[accuracy], abs=1)
    assert learnt["top1"][0] < learnt["top1"][-1]
    assert window["steps"] == 36
