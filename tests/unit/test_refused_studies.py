"""A study that cannot be measured is refused in one line, which says where and what is allowed."""

import pytest
from small_study import case, make

from trainmark.errors import TrainmarkError


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
            {"tables": ["corruptions"]},
            "tables: corruptions would be empty: no case of the study has corruptions",
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
        ({"study": "archives"}, "study: 'archives' is the name of another folder of results/"),
        ({"study": "site"}, "study: 'site' is the name of another folder of results/"),
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
