"""From a study to its runs."""

import json

import pytest
from small_study import case, make, params

from trainmark.errors import TrainmarkError
from trainmark.study.config.errors import StudyError


def test_a_study_is_the_product_of_its_axes():
    runs = make(input_modes=["dataset", "cached"]).runs
    assert len(runs) == 2 * 2 * 2
    assert "lenet-digits/numpy-again/cpu/float32/train-cached/r2" in runs


def test_repeats_beyond_enough_are_decided_by_those_before_them():
    runs = make(repeats=4, enough={"repeats": 2, "interval_percent": 1.5}).runs
    path = "lenet-digits/numpy/cpu/float32/train-dataset"
    assert [runs[f"{path}/r{n}"].enough_percent for n in (1, 2, 3, 4)] == [None, None, 1.5, 1.5]
    assert runs[f"{path}/r2"].earlier == []
    assert runs[f"{path}/r4"].earlier == [f"{path}/r{n}" for n in (1, 2, 3)]


def test_how_wide_an_interval_may_be_changes_no_run():
    study = make(repeats=4, enough={"repeats": 2, "interval_percent": 1.5})
    assert params(make(repeats=4)) == params(study)


def test_null_takes_a_key_or_a_case_back():
    taken_back = {**case(momentum=None), "other": None}
    assert params(make(cases=taken_back, max_steps=None)) == params(make())


def test_a_run_knows_its_shapes_and_its_adapter():
    run = make().runs["lenet-digits/numpy-again/cpu/float32/train-dataset/r1"]
    assert run.settings["image_shape"] == [1, 28, 28]
    assert run.settings["adapter"] == run.settings["environment"] == "numpy"
    assert run.format == "lmdb"


def test_machine_settings_are_no_part_of_a_run():
    assert params(make()) == params(make(machine={"threads": 7, "timeout_seconds": 60}))


def test_a_framework_with_a_build_for_gpus_trains_there_with_it():
    runs = make(frameworks=["pytorch", "caffe2"], devices=["cpu", "cuda:2"], repeats=1).runs
    keys = ("framework", "device", "environment")
    assert [tuple(run.settings[key] for key in keys) for run in runs.values()] == [
        ("pytorch", "cpu", "pytorch"),
        ("pytorch", "cuda:2", "pytorch-cuda"),
        ("caffe2", "cpu", "caffe2"),
        ("caffe2", "cuda:2", "caffe2"),
    ]


def test_an_override_changes_the_runs_it_names_and_no_other():
    override = {"where": {"framework": "numpy-again"}, "set": {"learning_rate": 0.1}}
    before, after = params(make()), params(make(overrides=[override]))
    different = {path for path in before if before[path] != after[path]}
    assert different == {path for path in before if "/numpy-again/" in path}


def test_an_override_keeps_the_size_of_the_images_of_its_case():
    small = case(dataset="imagenet-short200", image_size=160)
    override = {"where": {"case": "lenet-digits"}, "set": {"steps": 1}}
    for run in make(cases=small, overrides=[override]).runs.values():
        assert (run.settings["image_shape"], run.settings["steps"]) == ([3, 160, 160], 1)


def test_a_case_may_be_measured_in_some_of_the_frameworks():
    cases = {**case(), "one": {**case()["lenet-digits"], "frameworks": ["numpy-again"]}}
    paths = {path.split("/cpu")[0] for path in make(cases=cases).runs}
    assert paths == {"lenet-digits/numpy", "lenet-digits/numpy-again", "one/numpy-again"}


def test_whose_default_a_case_is_changes_no_run():
    labelled = make(cases=case(default_of="caffe"))
    assert labelled.labels(next(iter(labelled.runs.values()))) == {"default_of": "caffe"}
    assert params(labelled) == params(make())
    assert params(labelled) == params(make(cases=case(frameworks=["numpy", "numpy-again"])))


def test_cases_of_one_default_setting_differ_in_their_seeds_alone():
    """Tables take their runs together."""
    one = case(default_of="caffe")["lenet-digits"]
    assert len(make(cases={"one": one, "two": {**one, "seed": 2}}).runs) == 8
    with pytest.raises(StudyError, match="the case one, which differs in learning_rate"):
        make(cases={"one": one, "two": {**one, "learning_rate": 1.0}})


def test_more_repeats_leave_the_earlier_ones_as_they_are():
    before, after = params(make()), params(make(repeats=3))
    assert before.items() <= after.items()


def test_an_excluded_configuration_stays_a_run_with_a_reason():
    study = make(exclude=[{"where": {"framework": "numpy"}, "reason": "too slow"}])
    assert [run.excluded for run in study.runs.values()] == ["too slow", "too slow", None, None]


def test_params_are_canonical_json():
    text = next(iter(make().runs.values())).params
    assert text == json.dumps(json.loads(text), sort_keys=True, separators=(",", ":"))


def test_a_reference_is_shared_by_all_frameworks_and_repeats_of_a_case():
    assert len({run.reference for run in make().runs.values()}) == 1


def test_a_narrow_type_has_a_reference_of_its_own_which_has_its_limits():
    study = make(frameworks=["pytorch"], precisions=["float32", "bfloat16"])
    assert len({run.reference for run in study.runs.values()}) == 2
    float32 = {run.reference_params for run in make(frameworks=["pytorch"]).runs.values()}
    assert float32 < {run.reference_params for run in study.runs.values()}


def test_one_batch_over_and_over_may_be_larger_than_the_data_set():
    large = case(batch_size=5000)
    assert make(cases=large, input_modes=["synthetic"]).runs
    with pytest.raises(TrainmarkError, match="batch_size 5000 is larger than the 1500 training"):
        make(cases=large, input_modes=["synthetic", "cached"])


def sizes(study):
    return {run.settings["device"]: run.settings["batch_size"] for run in study.runs.values()}


def test_strong_scaling_shares_a_batch_and_weak_scaling_gives_each_device_its_own():
    devices = ["cuda:1", "cuda:2"]
    assert sizes(make(devices=devices)) == {"cuda:1": 64, "cuda:2": 64}
    assert sizes(make(devices=devices, scaling="weak")) == {"cuda:1": 64, "cuda:2": 128}


def test_a_reference_is_of_one_devices_part_of_the_batch():
    weak = make(devices=["cuda:1", "cuda:2"], scaling="weak")
    assert len({run.reference for run in weak.runs.values()}) == 1
