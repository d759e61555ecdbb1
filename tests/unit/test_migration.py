"""A trained network in another framework: agreement image by image, and its table."""

import contextlib
import io

import numpy as np
import pandas as pd
import pytest
from examples import LENET, LENET_RUN

from trainmark.analyse.csv.measurements import COLUMNS
from trainmark.analyse.run.metrics.agreement import agreement
from trainmark.analyse.run.metrics.memory import browser_memory
from trainmark.analyse.run.metrics.model import file_size
from trainmark.analyse.run.recording import Absent, Run
from trainmark.analyse.trained.migration import migration
from trainmark.report.tables import migration as table
from trainmark.report.words.writers import table_of
from trainmark.runs.events import parse
from worker.accuracy.evaluation import agreement as compared
from worker.events import emit

LABELS = np.array([0, 1, 2, 0])
TRAINER = np.eye(3)[[0, 1, 1, 2]]  # recognises the first two images


def rows(framework, stage="infer", input_mode="dataset", **values):
    """One run's measurements: of its main metric, and of these."""
    shared = {name: LENET_RUN.get(name) for name in COLUMNS}
    shared |= {"framework": framework, "adapter": framework, "stage": stage, "repeat": 1}
    shared |= {"input_mode": input_mode, "status": "ok", "disturbed": False, "machine": "one"}
    main = "training_speed" if stage == "train" else "inference_speed"
    return [{**shared, "metric": name, "value": v} for name, v in {main: 100, **values}.items()]


def measured(*runs):
    return pd.DataFrame([row for run in runs for row in run], columns=list(COLUMNS))


def test_predictions_are_compared_image_by_image():
    logits = np.eye(3)[[0, 2, 2, 2]]  # loses the second image, gains the third
    counts = compared(logits, TRAINER, LABELS)
    assert counts == {"count": 4, "same": 2, "gained": 1, "lost": 1, "logit_difference": 1.0}


def test_of_equal_logits_the_first_is_compared():
    logits = TRAINER.copy()
    logits[0] = [1, 1, 0]  # the first image is of the first class
    logits[1] = [1, 1, 0]  # the second is not
    counts = compared(logits, TRAINER, LABELS)
    assert (counts["same"], counts["lost"]) == (3, 1)


def test_the_same_predictions_agree_wholly():
    counts = compared(TRAINER, TRAINER, LABELS)
    assert (counts["same"], counts["gained"], counts["lost"]) == (4, 0, 0)
    assert counts["logit_difference"] == 0


def test_agreement_is_a_share_of_the_test_split():
    events = {"agreement": compared(TRAINER, TRAINER, LABELS), "model": {"bytes": 2_500_000}}
    run = Run({"job": LENET | {"trained_by": "pytorch"}}, events, pd.DataFrame())
    assert agreement(run) == 100
    assert file_size(run) == 2.5


def test_what_has_no_trainer_and_no_file_says_so():
    run = Run({"job": LENET}, {}, pd.DataFrame())
    with pytest.raises(Absent, match="trained_by"):
        agreement(run)
    with pytest.raises(Absent, match="in memory"):
        file_size(run)
    with pytest.raises(Absent, match="in no browser"):
        browser_memory(run)


def test_logits_that_are_not_finite_agree_with_none():
    """As those of a training that diverged: all of them are of the same class, or of none."""
    nowhere = np.full_like(TRAINER, np.nan)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        emit("agreement", **compared(nowhere, nowhere, LABELS))
    (event,) = parse(printed.getvalue())
    run = Run({"job": LENET | {"trained_by": "pytorch"}}, {"agreement": event}, pd.DataFrame())
    with pytest.raises(Absent, match="logits are not finite"):
        agreement(run)


def test_the_memory_of_a_page_is_what_the_model_adds_to_an_empty_one():
    memory = {"empty_bytes": 80 * 2**20, "peak_bytes": 200 * 2**20}
    run = Run({"job": LENET}, {"process_memory": memory}, pd.DataFrame())
    assert browser_memory(run) == 120


def test_a_loss_that_chance_explains_is_distinguished_from_one_that_it_doesnt():
    table = migration(
        measured(
            rows("pytorch", gained=0, lost=0),
            rows("litert", gained=4, lost=6),
            rows("onnxruntime", gained=2, lost=40),
        )
    )
    assert table["framework"].tolist() == ["pytorch", "litert", "onnxruntime"]
    assert table["p_value"].tolist() == pytest.approx([1, 0.754, 4.1e-10], rel=0.01)


def test_repeats_of_the_same_images_make_a_loss_no_surer():
    once = rows("litert", gained=4, lost=12, compared=1000)
    again = [row | {"repeat": repeat} for repeat in (1, 2, 3) for row in once]
    columns = ["change", "low", "high", "p_value"]
    single, threefold = (migration(measured(each))[columns] for each in (once, again))
    assert threefold.to_numpy() == pytest.approx(single.to_numpy())


def test_a_change_has_an_interval_also_where_no_image_changed():
    table = migration(
        measured(
            rows("pytorch", gained=0, lost=0, compared=10_000),
            rows("litert", gained=2, lost=40, compared=1000),
            rows("openvino"),
        )
    )
    assert table["change"].tolist() == pytest.approx([0, -3.8, np.nan], nan_ok=True)
    assert table["low"].tolist() == pytest.approx([-0.028, -5.07, np.nan], abs=0.01, nan_ok=True)
    assert table["high"].tolist() == pytest.approx([0.028, -2.52, np.nan], abs=0.01, nan_ok=True)


def test_only_what_predicts_with_trained_weights_is_in_it():
    table = migration(
        measured(
            rows("pytorch", stage="train"),
            rows("pytorch", input_mode="synthetic"),
            rows("pytorch", gained=0, lost=0),
        )
    )
    assert table[["stage", "input_mode"]].to_numpy().tolist() == [["infer", "dataset"]]


def test_the_table_shows_numbers_and_what_there_is_none_of():
    counts = {"gained": 2, "lost": 40, "compared": 1000}
    made = table_of(table, measured(rows("pytorch", accuracy_top1=98.01, agreement=100, **counts)))
    shown = made.shown.iloc[0]
    assert shown["top-1 %"] == "98.01"
    assert shown["points"] == "-3.80 (-5.07 to -2.52)"
    assert shown["file MB"] == "-"
    assert shown["status"] == "ok"


def test_a_note_says_what_a_percentile_without_a_value_would_take():
    made = table_of(table, measured(rows("litert", latency_p50=0.2, latency_p99=None)))
    assert made.shown["p99 ms"].tolist() == ["-"]
    assert "it takes 6 calls (p50), 368 calls (p99)." in " ".join(made.notes)


def test_small_files_are_distinguished():
    made = table_of(table, measured(rows("litert", file_size=0.01244), rows("openvino")))
    assert made.shown["file MB"].tolist() == ["0.0124", "-"]
