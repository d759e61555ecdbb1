"""How a case updates weights: its rates, step by step, and what is refused."""

import pytest
from small_study import case, make

from trainmark.study.config.errors import StudyError
from worker.networks.neutral.layer import Weight
from worker.networks.neutral.update_rule import UpdateRule

INVERSE = {"inverse": {"gamma": 0.0001, "power": 0.75}}
SGD = UpdateRule("sgd", 0.01, {}, 2.0, 0.9, {"dense/weight": 0.004})


def rates(schedule, *steps):
    return [SGD._replace(schedule=schedule).rate(step) for step in steps]


def test_a_rate_stays_without_a_schedule():
    assert rates({}, 0, 10_000) == [0.01, 0.01]


def test_the_inverse_schedule_is_that_of_caffes_lenet():
    """As its examples/mnist/lenet_solver.prototxt has it."""
    assert rates(INVERSE, 0, 10_000) == pytest.approx([0.01, 0.01 * 2**-0.75])


def test_a_rate_falls_after_every_so_many_steps_or_at_those_that_are_named():
    every, at = {"every": 3, "factor": 0.1}, {"at": [2, 5], "factor": 0.5}
    assert rates({"steps": every}, 2, 3, 5, 6) == pytest.approx([0.01, 0.001, 0.001, 0.0001])
    assert rates({"steps": at}, 1, 2, 4, 5) == pytest.approx([0.01, 0.005, 0.005, 0.0025])


def test_biases_have_a_rate_of_their_own_and_named_tensors_their_decay():
    kernel = Weight("dense/weight", (10, 5), "kernel", 2.0)
    bias = Weight("dense/bias", (10,), "bias", 0.0)
    assert SGD.group(kernel) == (1.0, 0.004)
    assert SGD.group(bias) == (2.0, 0.0)


def test_a_network_is_built_anew_for_another_epsilon_and_not_for_another_rate():
    scheduled = SGD._replace(schedule=INVERSE)
    assert scheduled.is_built_as(scheduled.for_proof())
    adam = SGD._replace(optimiser="adam", momentum=0.0)
    assert not adam.is_built_as(adam.for_proof())


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"schedule": {"steps": {"every": 1, "factor": 10}}},
            r"10 is greater than the maximum of 1",
        ),
        ({"schedule": {"steps": {"at": [9, 2], "factor": 0.1}}}, r"at: put the steps in ascending"),
        ({"optimiser": "rmsprop"}, r"optimiser: 'rmsprop' is not one of \['sgd', 'adam'\]"),
        ({"optimiser": "adam", "momentum": 0.9}, "momentum is of sgd; adam has its own two"),
        ({"schedule": {"steps": {"factor": 0.1}}}, "schedule.steps: give either at or every"),
        (
            {"schedule": {"steps": {"at": [3], "factor": 0}}},
            "the learning rate is 0 at the last step, 9; choose a larger factor",
        ),
        ({"schedule": {"cosine": {}}}, "cosine"),
        ({"weight_decay": {"dense3/weight": 0.1}}, "names dense3/weight, which is no trained"),
    ],
)
def test_an_update_that_makes_no_sense_is_refused_in_one_line(changes, message):
    with pytest.raises(StudyError, match=message) as refused:
        make(cases=case(**changes))
    assert "\n" not in str(refused.value)


def test_an_override_of_the_update_needs_a_stage_that_has_one():
    override = {"where": {"stage": "infer"}, "set": {"momentum": 0.5}}
    study = {"stages": ["train", "infer"], "input_modes": ["synthetic"], "overrides": [override]}
    with pytest.raises(StudyError, match=r"overrides.0.set: momentum is for stages that update"):
        make(cases=case(evaluate=False), **study)
