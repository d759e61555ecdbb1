"""Tables and figures of trained weights elsewhere: corruptions, same training, images."""

import numpy as np
import pandas as pd
import pytest
from attacked_runs import other
from examples import LENET_RUN

from trainmark.analyse.compare.statistics import p_value_within_blocks
from trainmark.analyse.csv import corruptions, disagreements
from trainmark.analyse.csv.measurements import COLUMNS
from trainmark.analyse.run.recording import Run
from trainmark.analyse.trained.corruptions import of_configurations
from trainmark.report.draw import style
from trainmark.report.figures import accuracy_size, disagreement, latency_runtime
from trainmark.report.tables import corruptions as corruptions_table
from trainmark.report.tables import same_training, same_weights
from trainmark.report.words.writers import table_of

HOST = {"cpu": "Example CPU", "cores": 2}
EVENTS = {
    "evaluation": {"count": 1000, "top1": 95.0, "top5": 100.0, "seconds": 1.0},
    "agreement": {"count": 1000, "same": 990, "gained": 4, "lost": 9, "logit_difference": 0.3},
    "corruptions": {
        "names": [None, "blur"],
        "count": [500, 500],
        "top1": [97.0, 90.0],
        "same": [495, 480],
        "gained": [1, 0],
        "lost": [2, 10],
        "logit_difference": [0.1, 0.2],
    },
}


def predicting(folder=None, events=EVENTS, **changes):
    """A run that predicted with the weights of another one."""
    job = {
        **LENET_RUN,
        "stage": "infer",
        "trained_by": "pytorch",
        "corruptions": ["blur"],
        **changes,
    }
    provenance = {"host": HOST, "gpus": []}
    record = {"job": job, "status": "ok", "reason": None, "disturbed": False}
    return Run({**record, "provenance": provenance}, events, pd.DataFrame(), folder=folder)


@pytest.fixture
def no_checks(monkeypatch):
    monkeypatch.setattr("trainmark.analyse.run.rows.violations", lambda run: [])


@pytest.mark.usefixtures("no_checks")
def test_the_same_images_as_they_are_and_corrupted_are_rows_beside_each_other():
    rows = corruptions.tabulate([predicting(), predicting(corruptions=[])])
    assert rows["corruption"].tolist() == ["original", "blur"]
    assert rows["top1"].tolist() == [97, 90]
    assert rows["lost"].tolist() == [2, 10]
    assert rows["count"].tolist() == [500, 500]


@pytest.mark.usefixtures("no_checks")
def test_a_run_that_was_cut_short_and_not_evaluated_says_so():
    rows = corruptions.tabulate([predicting(events={}, evaluate=False)])
    assert rows["corruption"].tolist() == ["original", "blur"]
    assert set(rows["absent"]) == {"the worker's log has no corruptions event"}


@pytest.mark.usefixtures("no_checks")
def test_a_change_is_in_points_on_the_same_images_with_its_p_value():
    table = of_configurations(corruptions.tabulate([predicting()]))
    assert table["change"].tolist() == pytest.approx([-0.2, -2.0])
    assert table["agreement"].tolist() == pytest.approx([99.0, 96.0])
    assert table["p_value"].tolist() == pytest.approx([1.0, 2 / 2**10])


@pytest.mark.usefixtures("no_checks")
def test_beside_logits_that_are_not_finite_there_is_no_change():
    counts = {**EVENTS["corruptions"], "logit_difference": [0.1, None]}
    table = of_configurations(
        corruptions.tabulate([predicting(events={**EVENTS, "corruptions": counts})])
    )
    assert table["top1"].tolist() == [97, 90]
    assert table["agreement"].tolist() == pytest.approx([99.0, np.nan], nan_ok=True)
    assert table["change"].tolist() == pytest.approx([-0.2, np.nan], nan_ok=True)


@pytest.mark.usefixtures("no_checks")
def test_repeats_of_the_same_images_make_a_change_no_surer():
    runs = [predicting(repeat=repeat) for repeat in (1, 2, 3)]
    table = of_configurations(corruptions.tabulate(runs))
    assert table["change"].tolist() == pytest.approx([-0.2, -2.0])
    assert table["p_value"].tolist() == pytest.approx([1.0, 2 / 2**10])


@pytest.mark.usefixtures("no_checks")
def test_the_table_has_a_block_for_each_quantity_and_a_column_for_each_kind_of_images():
    failed = predicting(framework="litert", adapter="litert")
    failed = Run({**failed.record, "status": "failed", "reason": "parity"})
    made = table_of(corruptions_table, corruptions.tabulate([predicting(), failed]))
    assert made.shown["case"].unique().tolist() == [
        "test: top-1 %",
        "test: points beside the trainer (p)",
        "test: same class %",
    ]
    first = made.shown.set_index("framework").loc["NumPy (reference)"]
    assert set(first["images"]) == {"500"}
    assert first["original"].tolist() == ["97.00", "-0.20 (1)", "99.00"]
    assert first["blur"].tolist() == ["90.00", "-2.00 (0.002)", "96.00"]
    last = made.shown.set_index("framework").loc["LiteRT (this PC)"]
    assert set(last["blur"]) == set(last["images"]) == {"-"}
    assert set(last["status"]) == {"failed: parity"}


def measured(*runs):
    """Measurements of runs, each (framework, stage, precision, repeat, {metric: value})."""
    rows = []
    for framework, stage, precision, repeat, values in runs:
        shared = {name: LENET_RUN.get(name) for name in COLUMNS}
        shared |= {"framework": framework, "adapter": framework, "stage": stage, "repeat": repeat}
        shared |= {"precision": precision, "status": "ok", "disturbed": False, "machine": "one"}
        main = "training_speed" if stage == "train" else "inference_speed"
        rows += [{**shared, "metric": name, "value": v} for name, v in {main: 9, **values}.items()]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def trained(accuracies):
    """Trainings of frameworks, with the accuracy of each of their repeats."""
    return measured(
        *(
            (framework, "train", "float32", repeat, {"accuracy_top1": value})
            for framework, values in accuracies.items()
            for repeat, value in enumerate(values, start=1)
        )
    )


def test_differences_within_the_spread_of_seeds_may_be_noise_and_others_not():
    alike = {"pytorch": [97.1, 97.5, 96.8, 97.3], "jax": [97.4, 96.9, 97.2, 97.0]}
    other = {**alike, "mxnet": [95.1, 95.3, 94.9, 95.2]}
    noise, real = (same_training.make(trained(runs)) for runs in (alike, other))
    assert noise["p_value"].unique() > 0.5
    assert real["p_value"].unique() < 0.05
    assert real["framework"].tolist() == ["pytorch", "jax", "mxnet"]


def test_seeds_that_matter_more_than_frameworks_do_not_hide_what_these_do():
    seeds = {"1": 91.0, "2": 97.0, "3": 94.0, "4": 99.0, "5": 92.5, "6": 95.5}
    better = {seed: value + 0.3 for seed, value in seeds.items()}
    assert p_value_within_blocks([seeds, better]) == 2 / 2**6
    assert p_value_within_blocks([seeds, {**better, "7": 80.0}]) == 2 / 2**6


def test_one_run_of_each_framework_tells_nothing_of_noise():
    assert p_value_within_blocks([{"1": 97.0}, {"1": 96.0}]) is None
    assert p_value_within_blocks([{"1": 97.0, "2": 97.0}, {"1": 97.0, "2": 97.0}]) == 1
    shown = table_of(same_training, trained({"pytorch": [97.0], "jax": [96.0]})).shown
    assert shown["p"].tolist() == ["-", "-"]


def test_the_worst_of_all_repeats_tells_how_the_same_weights_agree():
    measurements = measured(
        ("pytorch", "infer", "float32", 1, {"agreement": 100, "logit_difference": 2e-7}),
        ("pytorch", "infer", "float32", 2, {"agreement": 99.99, "logit_difference": 3e-7}),
        ("litert", "infer", "int8-static", 1, {"agreement": 99.5, "logit_difference": 0.2}),
    )
    shown = table_of(same_weights, measurements).shown
    assert shown.to_numpy().tolist() == [
        ["float32", "PyTorch", "99.99 %, 3.0e-07"],
        ["int8-static", "LiteRT (this PC)", "99.50 %, 2.0e-01"],
    ]


def test_figures_of_forms_have_a_mark_for_each_that_has_a_value():
    in_memory = {"accuracy_top1": 97.0, "file_size": None, "latency_p50": 0.3}
    whole = {"accuracy_top1": 97.0, "file_size": 0.4, "latency_p50": 0.1}
    small = {"accuracy_top1": 96.5, "file_size": 0.1, "latency_p50": 0.1}
    measurements = measured(
        ("pytorch", "infer", "float32", 1, in_memory),
        ("litert", "infer", "float32", 1, whole),
        ("litert", "infer", "int8-static", 1, small),
    )
    sizes = accuracy_size.data(measurements)
    assert sizes[["file_size", "accuracy_top1"]].to_numpy().tolist() == [[0.4, 97], [0.1, 96.5]]
    with style.applied():
        (axes,) = accuracy_size.draw(sizes, "title").axes
    assert axes.get_ylim() == pytest.approx((96.25, 97.25))  # a point, of which the marks take half
    times = latency_runtime.data(measurements)
    assert times["label"].tolist() == ["LiteRT (this PC)", "LiteRT (this PC)", "PyTorch"]
    with style.applied():
        (axes,) = latency_runtime.draw(times, "title").axes
    assert [text.get_text() for text in axes.get_yticklabels()] == ["LiteRT (this PC)", "PyTorch"]


def test_an_accuracy_has_the_interval_of_a_sample_of_so_many_images():
    values = {"accuracy_top1": 97.0, "file_size": 0.4, "compared": 10_000}
    data = accuracy_size.data(measured(("litert", "infer", "float32", 1, values)))
    ends = data.loc[0, ["low", "high"]].tolist()
    assert ends == pytest.approx([96.65, 97.32], abs=0.01)
    with style.applied():
        (axes,) = accuracy_size.draw(data, "title").axes
    ((_, low), (_, high)) = axes.collections[0].get_segments()[0]
    assert [low, high] == ends


@pytest.fixture
def disagreeing(tmp_path):
    """Two models of 8 bits of digits, which differ on the second image, one also on the fourth."""
    trainer = np.eye(10)[np.arange(10)]
    answers = {"one": [0, 7, 2, 3], "two": [0, 7, 2, 5]}
    (tmp_path / "trainer").mkdir()
    np.savez(tmp_path / "trainer/predictions.npz", logits=trainer[:4], labels=[0, 1, 2, 5])
    runs = [predicting(tmp_path / "trainer", stage="train", trained_by=None)]
    for name, classes in answers.items():
        (tmp_path / name).mkdir()
        np.savez(tmp_path / name / "predictions.npz", logits=trainer[classes], labels=[0, 1, 2, 5])
        trained = f"/where/it/was/measured{tmp_path}/trainer/weights.npz"
        runs.append(predicting(tmp_path / name, precision="int8-static", trained=trained))
    return runs


def test_images_on_which_most_models_differ_come_first_with_both_answers(disagreeing):
    table = disagreements.tabulate(disagreeing)
    columns = ["image", "label", "answer", "other", "differing", "models"]
    assert table[columns].to_numpy().tolist() == [[1, 1, 1, 7, 2, 2], [3, 5, 3, 5, 1, 2]]
    assert {len(bytes.fromhex(pixels)) for pixels in table["pixels"]} == {28 * 28}


def test_damaged_predictions_are_left_out(disagreeing, tmp_path):
    whole = (tmp_path / "one/predictions.npz").read_bytes()
    (tmp_path / "one/predictions.npz").write_bytes(whole[:-30])
    table = disagreements.tabulate(disagreeing)
    assert table[["image", "differing", "models"]].to_numpy().tolist() == [[1, 1, 1], [3, 1, 1]]


def test_models_on_another_machine_have_weights_of_their_own(disagreeing, tmp_path):
    before = disagreements.tabulate(disagreeing)
    answers = np.eye(10)[[9, 9, 9, 9]]
    (tmp_path / "elsewhere").mkdir()
    np.savez(tmp_path / "elsewhere/predictions.npz", logits=answers, labels=[0, 1, 2, 5])
    job = {**disagreeing[-1].job, "machine_name": "k20"}
    after = disagreements.tabulate([*disagreeing, predicting(tmp_path / "elsewhere", **job)])
    pd.testing.assert_frame_equal(after, before)


def test_images_of_image_files_are_not_shown(disagreeing):
    of_files = [other(run, dataset="synthetic-imagenet") for run in disagreeing]
    assert disagreements.tabulate(of_files).empty


def test_without_the_trainers_predictions_there_is_nothing_to_differ_from(disagreeing):
    _, *others = disagreeing
    assert disagreements.tabulate(others).empty


def test_the_figure_shows_each_image_and_says_so_where_there_is_none(disagreeing):
    table = disagreement.data(disagreements.tabulate(disagreeing))
    with style.applied():
        figure = disagreement.draw(table, "title")
        none = disagreement.draw(table.head(0), "title", "Cut short.")
    assert sum(len(axes.images) for axes in figure.axes) == 2
    assert none.texts[-1].get_text() == f"{disagreement.NONE}\nCut short."
