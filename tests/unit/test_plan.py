"""From a study to its runs, and the messages about a study that cannot be measured."""

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
    changed = {path for path in before if before[path] != after[path]}
    assert changed == {path for path in before if "/numpy-again/" in path}


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


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"studdy": 1},
            "the study: unknown key 'studdy' (did you mean study?); known: base, baseline",
        ),
        ({"repeats": "three"}, "repeats: 'three' is not a whole number"),
        ({"repeats": 2.0}, "repeats: 2.0 is not a whole number"),
        ({"cases": case(learning_rate=float("nan"))}, "learning_rate: nan is not a number"),
        ({"cases": case(learning_rate="1e-2")}, "is not a number, as YAML reads 1e-2; write 0.01"),
        ({"machine": {"mirrors": {"minst": []}}}, "machine.mirrors: unknown data set 'minst'"),
        (
            {"machine": {"subset": ["imagenet-short64"]}},
            "machine.subset: name imagenet, which goes for imagenet-short64 too",
        ),
        (
            {"machine": {"interpreters": {"nunpy": "python"}}},
            "machine.interpreters: unknown environment 'nunpy' (did you mean numpy?); known: ",
        ),
        (
            {"tables": ["crossed"]},
            "tables: crossed would be empty: no case of the study has default_of",
        ),
        ({"devices": ["gpu"]}, "devices[0]: 'gpu' is not a device: cpu, cuda:<number of GPUs>"),
        ({"devices": ["cpu:1"]}, "devices[0]: 'cpu:1' is not a device"),
        (
            {"devices": ["cuda:3"]},
            "batch_size 64 is not divisible by the 3 devices of cuda:3; choose another, "
            "`scaling: weak` for a batch of this size on each, or leave",
        ),
        (
            {"cases": case(image_size=32)},
            "cases.lenet-digits: image_size 32 is more than the images of digits have, 28x28",
        ),
        ({"devices": ["cpu", "cuda:1", "cpu"]}, "devices: cpu entered twice; remove one"),
        (
            {"repeats": 1_000_000_000},
            "repeats: 1000000000 is greater than the maximum of 1000",
        ),
        (
            {
                "cases": {f"case-{n}": case()["lenet-digits"] for n in range(60)},
                "repeats": 1000,
            },
            "the study: 120,000 runs, 1,000 repeats of 60 cases in 2 frameworks on all axes; at "
            "most 100,000: lower repeats, or make several studies of it",
        ),
        (
            {"cases": case(frameworks=["numpy", "torch"])},
            "cases.lenet-digits.frameworks: torch is no framework of the study; they are numpy, "
            "numpy-again",
        ),
        ({"cases": case(frameworks=[])}, "cases.lenet-digits.frameworks: [] should be non-empty"),
        (
            {"cases": case(default_of="torch7")},
            "cases.lenet-digits.default_of: unknown framework 'torch7' (did you mean pytorch?)",
        ),
        ({"study": "a" * 300}, "study: a name of 300 characters; at most 100"),
        (
            {"cases": {"a" * 300: case()["lenet-digits"]}},
            "cases: a name of 300 characters; at most 100",
        ),
        ({"cases": {"nan": case()["lenet-digits"]}}, "cases: 'nan' is not a name of lower-case"),
        ({"cases": {"null": case()["lenet-digits"]}}, "cases: 'null' is not a name of lower-case"),
        (
            {"frameworks": [{"framework": "a" * 300, "adapter": "numpy"}]},
            "frameworks[0].framework: a name of 300 characters; at most 100",
        ),
        ({"max_seconds": 0}, "max_seconds: 0 is not above 0"),
        ({"machine": {"threads": 100_000}}, "machine.threads: 100000 is greater than the maximum"),
        ({"charts": ["drift", "drift"]}, "charts: drift entered twice; remove one"),
        ({"rankings": ["drift"]}, "the study: unknown key 'rankings'; known: "),
        (
            {"charts": [{"metric": "drift", "style": "pie"}]},
            "unknown chart style 'pie'; known: grouped, panels, ranking",
        ),
        (
            {"frameworks": ["numpy", "caffe_train"], "precisions": ["float32", "tf32"]},
            "precisions: no framework of the study computes in tf32; they do in float32",
        ),
        ({"frameworks": ["torch"]}, "unknown framework 'torch' (did you mean pytorch?); known: "),
        ({"frameworks": ["numpy", "numpy"]}, "frameworks: numpy entered twice"),
        (
            {"frameworks": [{"framework": "mine", "adapter": "numpy"}] * 2},
            "frameworks: mine entered twice; give one a name of its own: "
            "{framework: mine-again, adapter: numpy}",
        ),
        (
            {"frameworks": [{"framework": "numpy", "environment": "numpy-9"}]},
            "frameworks: numpy: unknown environment 'numpy-9' (did you mean numpy?); known: ",
        ),
        (
            {"frameworks": [{"framework": "numpy", "options": {"procesor_hints": False}}]},
            "frameworks: numpy: options: unknown option 'procesor_hints' (did you mean "
            "processor_hints?); known: ",
        ),
        (
            {"overrides": [{"where": {"device": "cpu"}, "set": {"options": {"jitt": True}}}]},
            "overrides.0.set: options: unknown option 'jitt'",
        ),
        (
            {"cases": case(network="lenet6")},
            "cases.lenet-digits: unknown network 'lenet6' (did you mean lenet?); known: ",
        ),
        (
            {"cases": case(dataset="mnits")},
            "cases.lenet-digits: unknown data set 'mnits' (did you mean mnist?); known: ",
        ),
        (
            {"cases": case(dataset="mnist-yuv")},
            "cases.lenet-digits: there is no mnist-yuv: it needs ",
        ),
        (
            {"machine": {"mirrors": {"mnist-32x32": []}}},
            "machine.mirrors: name mnist, which goes for mnist-32x32 too",
        ),
        (
            {"cases": case(batch_size=0)},
            "cases.lenet-digits.batch_size: 0 is less than the minimum",
        ),
        (
            {"cases": case(batch_size=1501)},
            "batch_size 1501 is larger than the 1500 training images of digits",
        ),
        (
            {"cases": case(dataset="synthetic-1x8x8-10")},
            "the images of synthetic-1x8x8-10 are too small for lenet: layer conv2 needs 5 pixels",
        ),
        (
            {"overrides": [{"where": {"case": "vgg"}, "set": {"steps": 1}}]},
            'overrides.0.where: {"case": "vgg"} matches no configuration',
        ),
        (
            {"overrides": [{"where": {"case": "lenet-digits"}, "set": {"batch_size": 5000}}]},
            "batch_size 5000 is larger than the 1500 training images",
        ),
        (
            {"cases": case(warmup_seconds=20, warmup_limit_seconds=10)},
            "cases.lenet-digits: warmup_seconds 20 is longer than warmup_limit_seconds 10",
        ),
        (
            {"cases": case(window_seconds=2)},
            "cases.lenet-digits: with window_seconds each framework trains for a number of steps",
        ),
        (
            {
                "frameworks": ["pytorch", "onnxruntime"],
                "stages": ["infer"],
                "precisions": ["int8-dynamic"],
                "cases": case(
                    frameworks=["pytorch"], learning_rate=None, momentum=None, weight_decay=None
                ),
            },
            "no case has a framework, a stage and a precision that go together",
        ),
        (
            {"repeats": 3, "enough": {"repeats": 3, "interval_percent": 2}},
            "enough.repeats: 3 must be below repeats (3); repeats is the most there are",
        ),
    ],
)
def test_a_study_that_cannot_be_measured_is_refused_in_one_line(changes, message):
    with pytest.raises(TrainmarkError) as refusal:
        make(**changes)
    assert message in str(refusal.value)
    assert "\n" not in str(refusal.value)


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
