"""The stages of a plan: their batch sizes, what they leave out, and their references."""

import pytest
from small_study import case, make

from trainmark.errors import TrainmarkError
from trainmark.study.arithmetic import multiply_adds
from trainmark.study.config.errors import StudyError
from worker import networks
from worker.networks.neutral import operations


def predicting(**settings):
    """The small study's case for a study that only predicts: without an optimiser's settings."""
    case_settings = case(evaluate=False, **settings)["lenet-digits"]
    for name in ("learning_rate", "momentum", "weight_decay"):
        case_settings.pop(name, None)
    return {"lenet-digits": case_settings}


def in_batches(*sizes):
    cases = predicting(batch_sizes=list(sizes))
    del cases["lenet-digits"]["batch_size"]
    return cases


PREDICTING = {"stages": ["infer"], "input_modes": ["synthetic"], "repeats": 1}


def test_each_batch_size_of_a_case_is_a_configuration_in_a_folder_of_its_own():
    runs = make(cases=in_batches(1, 8), frameworks=["numpy"], **PREDICTING).runs
    assert {path: run.settings["batch_size"] for path, run in runs.items()} == {
        "lenet-digits-b1/numpy/cpu/float32/infer-synthetic/r1": 1,
        "lenet-digits-b8/numpy/cpu/float32/infer-synthetic/r1": 8,
    }
    assert {run.settings["case"] for run in runs.values()} == {"lenet-digits"}


def test_a_stage_without_an_update_has_no_optimiser_and_no_evaluation():
    study = make(stages=["train", "infer"], input_modes=["synthetic"], repeats=1)
    by_stage = {run.settings["stage"]: run.settings for run in study.runs.values()}
    assert by_stage["train"]["learning_rate"] > 0
    assert by_stage["train"]["evaluate"]
    assert by_stage["infer"]["learning_rate"] == by_stage["infer"]["momentum"] == 0
    assert not by_stage["infer"]["evaluate"]


def test_what_a_stage_cant_do_is_excluded_with_the_reason():
    study = make(stages=["train", "infer"], input_modes=["dataset", "synthetic"], repeats=1)
    reasons = {
        (run.settings["stage"], run.settings["input_mode"]): run.excluded
        for run in study.runs.values()
    }
    assert reasons == {
        ("train", "dataset"): None,
        ("train", "synthetic"): None,
        ("infer", "dataset"): "stage infer takes a batch from memory: input mode synthetic",
        ("infer", "synthetic"): None,
    }


def test_prediction_is_measured_on_one_device():
    study = make(cases=predicting(), devices=["cpu", "cpu:2"], **PREDICTING)
    assert {run.excluded for run in study.runs.values() if run.settings["device"] == "cpu:2"} == {
        "stage infer is measured on one device"
    }


def test_the_reference_of_a_stage_depends_on_that_stage():
    study = make(stages=["train", "gradients", "infer"], input_modes=["synthetic"], repeats=1)
    assert len({run.reference for run in study.runs.values()}) == 3


@pytest.mark.parametrize(
    ("cases", "message"),
    [
        (
            case(evaluate=False, momentum=0.9),
            "cases.lenet-digits: no stage of the study updates weights, which learning_rate, "
            "momentum are for: leave out, or request stage train",
        ),
        (in_batches(), "cases.lenet-digits.batch_sizes: [] should be non-empty"),
        (in_batches(1, 8, 1), "cases.lenet-digits.batch_sizes: 1 entered twice; remove one"),
        (
            predicting(batch_sizes=[1, 2]),
            "cases.lenet-digits: give either batch_size or batch_sizes",
        ),
    ],
)
def test_a_study_that_cant_predict_is_refused_in_one_line(cases, message):
    with pytest.raises(TrainmarkError) as refusal:
        make(cases=cases, **PREDICTING)
    assert message in str(refusal.value)


def test_training_needs_a_learning_rate():
    with pytest.raises(TrainmarkError, match="learning_rate is missing, which train needs"):
        make(cases=predicting())


TRAINING_AND_PREDICTING = {
    "stages": ["train", "infer"],
    "input_modes": ["dataset", "synthetic"],
}


def test_a_stage_that_no_configuration_can_have_is_refused_in_one_line():
    with pytest.raises(StudyError, match="stages: stage infer takes a batch from memory: input mo"):
        make(stages=["train", "infer"])


def test_a_runtime_has_configurations_in_the_stages_that_it_has_alone():
    study = make(frameworks=["numpy", "onnxruntime"], **TRAINING_AND_PREDICTING)
    pairs = {(run.settings["framework"], run.settings["stage"]) for run in study.runs.values()}
    assert pairs == {("numpy", "train"), ("numpy", "infer"), ("onnxruntime", "infer")}


def test_only_runtimes_have_configurations_of_quantised_models():
    study = make(
        frameworks=["numpy", "onnxruntime"],
        precisions=["float32", "int8-static"],
        **TRAINING_AND_PREDICTING,
    )
    pairs = {
        (run.settings["framework"], run.settings["stage"], run.settings["precision"])
        for run in study.runs.values()
    }
    assert pairs == {
        ("numpy", "train", "float32"),
        ("numpy", "infer", "float32"),
        ("onnxruntime", "infer", "float32"),
        ("onnxruntime", "infer", "int8-static"),
    }


def test_what_cannot_be_had_is_in_a_study_once_and_not_in_each_precision():
    study = make(
        frameworks=["numpy", "onnxruntime", "coreml"],
        precisions=["float32", "int8-static"],
        **TRAINING_AND_PREDICTING,
    )
    pairs = {(run.settings["framework"], run.settings["precision"]) for run in study.runs.values()}
    assert {precision for name, precision in pairs if name == "coreml"} == {"float32"}


def test_a_runtime_that_has_no_stage_of_the_study_is_refused_in_one_line():
    with pytest.raises(StudyError, match="onnxruntime has stage infer only"):
        make(frameworks=["numpy", "onnxruntime"])


TRAINED = {"trained_by": "numpy", "keep_weights": True}
BOTH = {"stages": ["train", "infer"], "repeats": 2}


def test_prediction_takes_the_weights_of_the_same_repeat_of_a_cases_trainer():
    study = make(cases=case(**TRAINED), **BOTH)
    path = "lenet-digits/{}/cpu/float32/{}-dataset/r{}"
    assert study.trainers == {
        path.format(framework, "infer", repeat): path.format("numpy", "train", repeat)
        for framework in ("numpy", "numpy-again")
        for repeat in (1, 2)
    }


def test_trained_weights_are_kept_by_who_trains_and_evaluated_by_who_predicts():
    study = make(cases=case(**TRAINED), **BOTH)
    by_stage = {run.settings["stage"]: run.settings for run in study.runs.values()}
    names = ("keep_weights", "trained_by", "evaluate")
    assert [by_stage["train"][name] for name in names] == [True, None, True]
    assert [by_stage["infer"][name] for name in names] == [False, "numpy", True]


@pytest.mark.parametrize(
    ("settings", "study", "message"),
    [
        ({"trained_by": "numpy"}, BOTH, "trained_by: needs keep_weights: true"),
        (
            {**TRAINED, "batch_size": 300},
            BOTH,
            "batch_size 300 is larger than the 297 test images of digits",
        ),
        (TRAINED, {**BOTH, "stages": ["train"]}, "needs infer or attack among the study's stages"),
        (
            TRAINED,
            {**BOTH, "input_modes": ["synthetic"]},
            "needs dataset among the study's input_modes",
        ),
        (
            {**TRAINED, "trained_by": "jax"},
            BOTH,
            "trained_by: the study doesn't train it in jax; it does in numpy, numpy-again",
        ),
    ],
)
def test_a_trainer_that_the_study_hasnt_is_refused_in_one_line(settings, study, message):
    with pytest.raises(StudyError, match=message):
        make(cases=case(**settings), **study)


def test_what_goes_on_to_others_is_trained_in_float32_alone():
    study = make(
        cases=case(**TRAINED),
        frameworks=["numpy", "onnxruntime"],
        precisions=["float32", "float16"],
        **BOTH,
    )
    pairs = {(run.settings["stage"], run.settings["precision"]) for run in study.runs.values()}
    assert pairs == {("train", "float32"), ("infer", "float32"), ("infer", "float16")}


GENERATING = {"stages": ["generate"], "input_modes": ["synthetic"], "repeats": 1}


def of_text(network, dataset, **settings):
    return predicting(network=network, dataset=dataset, pixels={"mean": "none"}, **settings)


@pytest.mark.parametrize(
    ("cases", "message"),
    [
        (of_text("text_lstm", "synthetic-1x1x80-2", steps=8), "needs a language model; text_lstm"),
        (of_text("char_lstm", "sentences", steps=128), "set steps to 2 to 127"),
        (of_text("char_lstm", "synthetic-1x1x80-65", steps=8), "has the 256 bytes at least"),
        (of_text("gpt2", "sentences-tokens2048", steps=8), "1024 positions, and 2048 tokens"),
        (of_text("char_lstm", "synthetic-3x8x8-256", steps=4), "of one row, not 3x8x8"),
        (of_text("char_lstm", "sentences-1x256", steps=4), "is text, whose windows -tokens<n>"),
    ],
)
def test_a_generation_that_cant_be_is_refused_in_one_line(cases, message):
    with pytest.raises(StudyError, match=message) as refused:
        make(cases=cases, frameworks=["numpy"], **GENERATING)
    assert "\n" not in str(refused.value)


def test_a_generation_has_no_epochs():
    cases = of_text("char_lstm", "sentences", epochs=2)
    del cases["lenet-digits"]["steps"]
    with pytest.raises(StudyError, match="set steps to 2 to 127"):
        make(cases=cases, frameworks=["numpy"], **GENERATING)


def test_a_window_of_seconds_is_of_trainings_that_arent_evaluated_and_of_any_other_stage():
    evaluated = {**case(window_seconds=5.0)["lenet-digits"], "evaluate": True}
    with pytest.raises(StudyError, match="set evaluate to false"):
        make(cases={"lenet-digits": evaluated})
    cases = predicting(window_seconds=5.0)
    cases["lenet-digits"]["evaluate"] = True
    assert make(cases=cases, stages=["infer"], input_modes=["synthetic"]).runs


def test_a_generation_keeps_its_tokens_where_others_are_cut_short():
    cases = of_text("char_lstm", "sentences", steps=64)
    (run,) = make(cases=cases, frameworks=["pytorch"], max_steps=3, **GENERATING).runs.values()
    assert run.settings["steps"] == 64


def test_the_multiply_adds_of_a_token_are_its_share_of_one_pass():
    cases = of_text("char_lstm", "sentences", steps=64)
    (run,) = make(cases=cases, frameworks=["pytorch"], **GENERATING).runs.values()
    network = networks.build("char_lstm", (1, 1, 128), 256)
    assert multiply_adds(run.settings) == operations.forward(network) // 64
