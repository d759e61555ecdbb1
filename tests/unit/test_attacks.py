"""Attacks as a study asks for them, and messages between both processes that make them."""

import io
import json
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from attacked_runs import attacking, kept_images, other
from examples import LENET
from small_study import case, make

from trainmark.analyse.csv import adversarial, attacks
from trainmark.errors import TrainmarkError
from trainmark.report.draw import style
from trainmark.report.figures import robustness as figure
from trainmark.report.tables import robustness, transferability
from trainmark.report.words.writers import table_of
from trainmark.runs import unmeasured
from trainmark.runs.job import complete
from trainmark.study import digest
from worker.attacks.harness import pipe
from worker.attacks.harness.process import Attacker, AttackerEnded
from worker.attacks.harness.robustness import distances, fooled
from worker.attacks.harness.unit_range import UnitRange
from worker.input import pixels
from worker.job import Job

TRAINED = {"trained_by": "numpy", "keep_weights": True}
ATTACKED = {**TRAINED, "attacks": ["fgsm", "deepfool"]}
STAGES = {"stages": ["train", "infer", "attack"], "repeats": 1}
PLACE = "lenet-digits/{}/cpu/float32/{}-dataset/r1"


def attack_study(**settings):
    return make(cases=case(**ATTACKED, **settings), **STAGES)


def test_each_framework_attacks_the_weights_of_the_trainer():
    study = attack_study(epsilons=[0.1], attack_images=8)
    settings = study.runs[PLACE.format("numpy-again", "attack")].settings
    assert settings["attacks"] == ["fgsm", "deepfool"]
    assert (settings["epsilons"], settings["attack_images"]) == ([0.1], 8)
    assert (settings["trained_by"], settings["evaluate"], settings["keep_weights"]) == (
        "numpy",
        False,
        False,
    )
    trainer = PLACE.format("numpy", "train")
    assert study.trainers[PLACE.format("numpy-again", "attack")] == trainer


def test_what_is_attacked_is_predicted_by_everybody_beside_the_test_split():
    study = attack_study(attacked_by="numpy-again")
    attacker = PLACE.format("numpy-again", "attack")
    assert study.attackers == {
        PLACE.format(name, "infer"): attacker for name in ("numpy", "numpy-again")
    }
    assert attack_study().attackers[PLACE.format("numpy", "infer")] == PLACE.format(
        "numpy", "attack"
    )


def test_other_epsilons_train_nothing_again():
    runs = [attack_study(epsilons=[size]).runs for size in (0.1, 0.2)]
    alike = [runs[0][path].params == runs[1][path].params for path in runs[0]]
    stages = [run.settings["stage"] for run in runs[0].values()]
    assert alike == [stage != "attack" for stage in stages]


def test_only_cases_with_attacks_are_attacked_and_only_in_float32():
    others = {"other": case()["lenet-digits"], "none": case(attacks=[])["lenet-digits"]}
    cases = {**case(**ATTACKED), **others}
    study = make(
        cases=cases, frameworks=["numpy", "pytorch"], precisions=["float32", "float16"], **STAGES
    )
    attacked = [run.settings for run in study.runs.values() if run.settings["stage"] == "attack"]
    assert {(each["case"], each["precision"]) for each in attacked} == {("lenet-digits", "float32")}


def test_a_batch_of_attacks_may_be_larger_than_the_images_of_a_split():
    larger = [{"where": {"stage": "attack"}, "set": {"batch_size": 1501}}]
    study = make(cases=case(**ATTACKED), overrides=larger, **STAGES)
    assert {run.settings["batch_size"] for run in study.runs.values()} == {64, 1501}


@pytest.mark.parametrize(
    ("settings", "study", "message"),
    [
        ({**TRAINED, "attacks": ["tickle"]}, STAGES, "unknown attack 'tickle'; known: bim, "),
        ({"attacks": ["fgsm"]}, STAGES, "attacks: needs trained_by, the framework whose weights"),
        ({**TRAINED, "attacks": []}, STAGES, "attack is of cases with attacks; the study has none"),
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
    measured = distances(np.array([[[[3.0, 4.0]]], [[[0.0, -1.0]]], [[[0.0, 1.0]]]]))
    assert measured == pytest.approx(
        {"l2_mean": 7 / 3, "l2_median": 1, "linf_mean": 2, "linf_median": 1}
    )
    assert set(distances(np.zeros((0, 1, 2, 2))).values()) == {None}


def test_a_run_depends_on_the_code_of_its_own_attacks():
    """And on that of the process that makes them; other stages on none of both."""
    key = dict(adapter="numpy", device="cpu", network="lenet", stage="attack")
    codes = {digest.of_run(**key, attacks=names) for names in ((), ("fgsm",), ("fgsm", "bim"))}
    assert len(codes) == 3


def test_without_what_attacks_a_run_is_unavailable():
    there = {"status": "available", "interpreter": "results/environments/attack/bin/python"}
    missing = {"status": "unavailable", "reason": "no network"}
    machine = {"timeout_seconds": 1}
    assert Path(complete(LENET, machine, {}, there)["attacker"]).is_absolute()
    job = complete(LENET, machine, {}, missing)
    assert job["attacker"] is None
    assert unmeasured.outcome(job, [there, missing], None, None) == ("unavailable", "no network")
    assert unmeasured.outcome(job, [there], None, None) is None


@pytest.fixture
def measured(recorded_runs, tmp_path):
    """attacks.csv of a run of stage attack, of one that predicts what it made, and of a failure."""
    run = next(run for run in recorded_runs if run.record["status"] == "ok")
    failed = next(run for run in recorded_runs if run.record["status"] == "failed")
    runs = [*attacking(run), other(failed, stage="attack", case=run.job["case"])]
    attacks.tabulate(runs).to_csv(tmp_path / "attacks.csv", index=False)
    return attacks.read(tmp_path / "attacks.csv")


def test_the_table_of_robustness_has_a_row_for_each_attack_and_for_a_failure(measured):
    made = table_of(robustness, measured)
    assert made.numbers["attack"].dropna().tolist() == ["fgsm", "fgsm", "deepfool"]
    shown = made.shown.set_index(["attack", "epsilon"])
    assert shown.loc[("FGSM", "0.1"), "fooled %"] == "28.95"  # 11 of 38
    assert shown.loc[("FGSM", "0.1"), "interval"] == "17.0 to 44.8"  # as Wilson 1927 has it
    assert shown.loc[("DeepFool", "-"), "gradients"] == "200"  # of each of 40 images
    assert made.numbers["status"].tolist() == ["ok", "ok", "ok", "failed"]
    failure = made.shown.iloc[-1]
    assert (failure["attack"], failure["epsilon"]) == ("-", "-")
    assert failure["status"].startswith("failed: ")


def test_a_study_in_which_no_attack_came_to_anything_has_a_row_for_its_failure(
    recorded_runs, tmp_path
):
    failed = next(run for run in recorded_runs if run.record["status"] == "failed")
    attacks.tabulate([other(failed, stage="attack")]).to_csv(tmp_path / "attacks.csv", index=False)
    with warnings.catch_warnings(action="error"):
        made = table_of(robustness, attacks.read(tmp_path / "attacks.csv"))
    assert made.numbers["status"].tolist() == ["failed"]


def test_the_table_of_transferability_has_a_column_for_each_attack(measured):
    (row,) = table_of(transferability, measured).shown.to_dict("records")
    assert row["made in"] == "NumPy (reference)"
    shares = {name: row[name] for name in ("FGSM 0.1", "FGSM 0.3", "DeepFool")}
    assert shares == {
        "FGSM 0.1": "90.9 (10 of 11)",
        "FGSM 0.3": "100.0 (35 of 35)",
        "DeepFool": "13.2 (5 of 38)",
    }


def test_the_figure_of_robustness_has_a_whisker_at_each_point(measured):
    data = figure.data(measured)
    with style.applied():
        (panel,) = figure.draw(data, "title").axes
    (whiskers,) = panel.collections
    ends = [(low, high) for (_, low), (_, high) in whiskers.get_segments()]
    assert ends[0] == pytest.approx((17.0, 44.8), abs=0.05)  # of 11 of 38
    assert len(ends) == len(data) == 2


def test_examples_are_of_images_that_an_attack_fooled_with(recorded_runs, tmp_path):
    run = next(run for run in recorded_runs if run.record["status"] == "ok")
    table = adversarial.tabulate(
        replace(run, folder=kept_images(tmp_path)) for run in attacking(run)
    )
    named = table[["attack", "image", "label", "taken_for"]].to_numpy().tolist()
    assert named == [
        ["fgsm", 0, 0, 1],
        ["fgsm", 1, 1, 2],
        ["deepfool", 1, 1, 2],
        ["deepfool", 2, 2, 0],
    ]


def test_an_attacking_process_that_ends_is_reported_in_one_line():
    job = Job(**{**LENET, "attacker": "/bin/false"})
    with pytest.raises(AttackerEnded, match="the attacking process ended with status 1"):
        Attacker(job, {})


def test_pixels_from_0_to_1_are_normalised_as_stored_ones_are(tmp_path):
    """And a gradient is brought back by the same factor."""
    index = {"mean": [10.0, 20.0], "scale": 0.5, "encoding": "raw", "splits": {}}
    index["image_shape"] = shape = [2, 3, 3]
    (tmp_path / "dataset.json").write_text(json.dumps(index))
    data = str(tmp_path / "dataset.json")
    job = Job(**{**LENET, "stage": "attack", "image_shape": shape, "data": data})
    stored = np.random.default_rng(1).integers(0, 256, (5, *shape), dtype=np.uint8)
    batches = [(stored[:4], np.arange(4)), (stored[4:], np.arange(4, 5))]
    images, labels = UnitRange(job).first(batches, 5)
    np.testing.assert_array_equal(images, stored.astype(np.float32) / 255)
    assert labels.tolist() == [0, 1, 2, 3, 4]
    normalised_images = UnitRange(job).normalised(images)
    np.testing.assert_allclose(
        normalised_images, pixels.normalise(stored, index), rtol=1e-5, atol=1e-4
    )
    assert UnitRange(job).pulled_back(np.ones(3)) == pytest.approx(127.5 * np.ones(3))
