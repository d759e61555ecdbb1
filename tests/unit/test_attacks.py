"""Attacks as a study asks for them, and messages between both processes that make them."""

import io

import numpy as np
import pytest
from small_study import case, make

from trainmark.errors import TrainmarkError
from worker.adversary import pipe
from worker.adversary.robustness import distances, fooled

TRAINED = {"trained_by": "numpy", "keep_weights": True}
ATTACKED = {**TRAINED, "attacks": ["fgsm", "deepfool"]}
STAGES = {"stages": ["train", "infer", "attack"], "repeats": 1}
PLACE = "lenet-digits/{}/cpu/float32/{}-dataset/r1"


def attacking(**settings):
    return make(cases=case(**ATTACKED, **settings), **STAGES)


def test_each_framework_attacks_the_weights_of_the_trainer():
    study = attacking(epsilons=[0.1], attack_images=8)
    own = study.runs[PLACE.format("numpy-again", "attack")].settings
    assert own["attacks"] == ["fgsm", "deepfool"]
    assert (own["epsilons"], own["attack_images"]) == ([0.1], 8)
    assert (own["trained_by"], own["evaluate"], own["keep_weights"]) == ("numpy", False, False)
    trainer = PLACE.format("numpy", "train")
    assert study.trainers[PLACE.format("numpy-again", "attack")] == trainer


def test_what_is_attacked_is_predicted_by_everybody_beside_the_test_split():
    study = attacking(attacked_by="numpy-again")
    attacker = PLACE.format("numpy-again", "attack")
    assert study.attackers == {
        PLACE.format(name, "infer"): attacker for name in ("numpy", "numpy-again")
    }
    assert attacking().attackers[PLACE.format("numpy", "infer")] == PLACE.format("numpy", "attack")


def test_other_epsilons_train_nothing_again():
    runs = [attacking(epsilons=[size]).runs for size in (0.1, 0.2)]
    alike = [runs[0][path].params == runs[1][path].params for path in runs[0]]
    stages = [run.settings["stage"] for run in runs[0].values()]
    assert alike == [stage != "attack" for stage in stages]


def test_only_cases_with_attacks_are_attacked_and_only_in_float32():
    other = {"other": case()["lenet-digits"]}
    cases = {**case(**ATTACKED), **other}
    study = make(
        cases=cases, frameworks=["numpy", "pytorch"], precisions=["float32", "float16"], **STAGES
    )
    attacked = [run.settings for run in study.runs.values() if run.settings["stage"] == "attack"]
    assert {(own["case"], own["precision"]) for own in attacked} == {("lenet-digits", "float32")}


@pytest.mark.parametrize(
    ("settings", "study", "message"),
    [
        ({**TRAINED, "attacks": ["tickle"]}, STAGES, "unknown attack 'tickle'; known: bim, "),
        ({"attacks": ["fgsm"]}, STAGES, "attacks: needs trained_by, the framework whose weights"),
        ({**TRAINED, "attacks": []}, STAGES, "cases.lenet-digits.attacks: [] should be non-empty"),
        (TRAINED, STAGES, "stages: attack is of cases with attacks; the study has none"),
        (
            ATTACKED,
            {**STAGES, "stages": ["train", "infer"]},
            "cases.lenet-digits.attacks: needs attack among the study's stages",
        ),
        ({**ATTACKED, "epsilons": [0.1, 1.5]}, STAGES, "1.5 is greater than the maximum of 1"),
        ({**ATTACKED, "epsilons": [0.1, 0.1]}, STAGES, "epsilons: 0.1 entered twice; remove one"),
        ({**ATTACKED, "attacked_by": "jax"}, STAGES, "attacked_by: the study doesn't attack it in"),
        (
            {**TRAINED, "attacked_by": "numpy"},
            {**STAGES, "stages": ["train", "infer"]},
            "attacked_by: needs attacks",
        ),
        (
            {**ATTACKED, "pixels": {"standardise": "image"}},
            STAGES,
            "attacks: needs pixels that are normalised alike in all images",
        ),
    ],
)
def test_attacks_that_cant_be_made_are_refused_in_one_line(settings, study, message):
    with pytest.raises(TrainmarkError) as refusal:
        make(cases=case(**settings), **study)
    assert message in str(refusal.value)


def test_a_message_is_read_as_it_was_sent():
    stream = io.BytesIO()
    images = np.arange(6, dtype=np.float32).reshape(1, 1, 2, 3)
    pipe.send(stream, "input_gradient", images, np.array(0.5))
    pipe.send(stream, "done")
    stream.seek(0)
    kind, arrays = pipe.receive(stream)
    assert kind == "input_gradient"
    np.testing.assert_array_equal(arrays[0], images)
    assert arrays[1] == 0.5
    assert pipe.receive(stream) == ("done", [])
    assert pipe.receive(stream) is None


def test_a_message_that_breaks_off_is_none():
    stream = io.BytesIO()
    pipe.send(stream, "predict", np.zeros(100))
    assert pipe.receive(io.BytesIO(stream.getvalue()[:-1])) is None


def test_only_what_was_recognised_can_be_fooled():
    labels = np.array([0, 1, 2])
    clean, adversarial = np.eye(3)[[0, 1, 0]], np.eye(3)[[0, 2, 1]]
    assert fooled(clean, adversarial, labels).tolist() == [False, True, False]


def test_distances_are_of_single_images():
    found = distances(np.array([[[[3.0, 4.0]]], [[[0.0, -1.0]]], [[[0.0, 1.0]]]]))
    assert found == pytest.approx(
        {"l2_mean": 7 / 3, "l2_median": 1, "linf_mean": 2, "linf_median": 1}
    )
    assert set(distances(np.zeros((0, 1, 2, 2))).values()) == {None}
