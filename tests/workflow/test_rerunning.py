"""Only what changed runs again: whole workflows of the numpy adapter, changed, called again."""

import json
import os
import re
import shutil

import pictures
import pytest
from small_checkout import CASE, KEPT, MEASUREMENTS, STUDY, Checkout


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """A checkout whose study has been measured once."""
    checkout = Checkout(tmp_path_factory.mktemp("checkout"))
    _, trained = checkout.snakemake()
    assert trained == {f"{case}/{name}" for case in STUDY["cases"] for name in ("numpy", "other")}
    return checkout


@pytest.fixture
def measured(checkout):
    """The checkout, whose runs each test leaves measured; its study is put back for the next."""
    yield checkout
    checkout.write(STUDY)


def test_a_second_call_has_nothing_to_do(measured):
    printed, trained = measured.snakemake()
    assert "Nothing to be done" in printed
    assert not trained


def test_a_comment_a_machine_setting_and_a_script_of_the_report_run_nothing(measured):
    machine = {**STUDY["machine"], "timeout_seconds": 100}
    measured.write({**STUDY, "machine": machine}, comment="# why this study\n")
    script = measured.folder / "workflow/scripts/measurements.py"
    script.write_text(script.read_text() + "\n# a comment\n")
    assert measured.snakemake()[1] == set()


def test_one_changed_configuration_runs_alone(measured):
    where = {"case": "first", "framework": "other"}
    measured.write({**STUDY, "overrides": [{"where": where, "set": {"steps": 5}}]})
    assert measured.snakemake()[1] == {"first/other"}
    measured.write(STUDY)
    assert measured.snakemake()[1] == {"first/other"}


def test_an_excluded_case_is_a_row_for_which_nothing_is_prepared(measured):
    absent = {**CASE, "dataset": "mnist"}
    left_out = [{"where": {"case": "third"}, "reason": "no network here"}]
    measured.write({**STUDY, "cases": {**STUDY["cases"], "third": absent}, "exclude": left_out})
    assert measured.snakemake()[1] == {"third/numpy", "third/other"}
    table = (measured.folder / MEASUREMENTS).read_text()
    assert "unsupported,left out by the study: no network here" in table
    assert not (measured.folder / "results/data/mnist").exists()


def test_a_data_set_that_cannot_be_had_leaves_the_others_and_is_tried_again(measured, tmp_path):
    flowers, images = "folder-flowers-3x32x32-2", tmp_path / "flowers"
    cases = {**STUDY["cases"], "third": {**CASE, "dataset": flowers, "batch_size": 4}}
    machine = {**STUDY["machine"], "mirrors": {flowers: [str(images)]}}
    measured.write({**STUDY, "cases": cases, "machine": machine})
    assert measured.snakemake()[1] == {"third/numpy", "third/other"}
    table = (measured.folder / MEASUREMENTS).read_text()
    assert f"unavailable,no {flowers}: {flowers}: no folder of this machine {images}" in table
    pictures.class_folders(images, {"aster": 5, "rose": 5})
    assert measured.snakemake()[1] == set()
    (measured.folder / f"results/data/{flowers}/source.json").unlink()
    assert measured.snakemake("parity")[1] == {"third/numpy", "third/other"}
    assert "unavailable" not in (measured.folder / MEASUREMENTS).read_text()


RUN = "results/tiny/runs/{}/cpu/float32/train-dataset/r1"


def test_damaged_runs_are_named_and_measured_again(measured):
    record = measured.folder / RUN.format("first/other") / "run.json"
    log = measured.folder / RUN.format("second/other") / "worker.log"
    record.write_bytes(record.read_bytes()[:200])
    log.write_bytes(b"")
    printed, trained = measured.snakemake("all", "--dry-run")
    assert "run.json is damaged" in printed
    assert "worker.log isn't as the run left it" in printed
    assert not trained
    assert not measured.snakemake("all", "--rulegraph", "mermaid-js")[1]
    printed, trained = measured.snakemake("all")
    assert printed.count("it will be measured again") == 2
    assert trained == {"first/other", "second/other"}
    assert "Nothing to be done" in measured.snakemake("all")[0]


def test_an_added_framework_runs_alone(measured):
    again = {"framework": "numpy-again", "adapter": "numpy"}
    measured.write({**STUDY, "frameworks": [*STUDY["frameworks"], again]})
    assert measured.snakemake()[1] == {"first/numpy-again", "second/numpy-again"}
    measured.write(STUDY)
    assert measured.snakemake()[1] == set()


def test_an_edited_adapter_runs_its_own_runs(measured):
    measured.adapter.write_text(measured.adapter.read_text() + "\nEDITED = True\n")
    assert measured.snakemake()[1] == {"first/other", "second/other"}


def test_a_new_colour_draws_again_and_trains_nothing(measured):
    figure = "results/tiny/figures/training_speed/training_speed.svg"
    drawn = measured.folder / figure
    measured.snakemake(figure)
    assert "#123456" not in drawn.read_text()
    text = measured.adapter.read_text()
    measured.adapter.write_text("# Nothing is measured by this line.\n" + text)
    before = drawn.stat().st_mtime_ns
    assert measured.snakemake(figure)[1] == set()
    assert drawn.stat().st_mtime_ns == before
    measured.adapter.write_text(re.sub('COLOUR = ".*"', 'COLOUR = "#123456"', text))
    assert measured.snakemake(figure)[1] == set()
    assert "#123456" in drawn.read_text()


def test_a_bad_study_is_one_line_and_makes_nothing(measured):
    measured.write({**STUDY, "frameworks": ["numpi"]})
    status, printed = measured.call()
    lines = [line for line in printed.splitlines() if "profile" not in line]
    assert status != 0
    assert len(lines) == 1
    assert re.match(r"trainmark: \S", lines[0])


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes anywhere")
def test_a_read_only_results_folder_is_one_line(tmp_path):
    checkout = Checkout(tmp_path)
    (tmp_path / "results").mkdir(mode=0o500)
    status, printed = checkout.call()
    assert status != 0
    assert "Traceback" not in printed


def test_runs_on_gpus_that_are_not_there_are_reported_first(tmp_path):
    checkout = Checkout(tmp_path)
    checkout.write({**STUDY, "devices": ["cuda:16"], "frameworks": ["numpy"]})
    printed, _ = checkout.snakemake()
    position = printed.index("trainmark: cuda:16 asks for 16 GPUs")
    assert position < printed.index("2 runs to be measured")
    assert ": its 2 runs will be unavailable" in printed
    record = json.loads(next(tmp_path.rglob("run.json")).read_text())
    assert record["status"] == "unavailable"
    assert record["reason"].startswith("cuda:16 asks for 16 GPUs, and there ")


TRAINING = "first@one/numpy/cpu/float32/train-dataset/r1"
PREDICTING = "first@one/numpy/cpu/float32/infer-dataset/r1"


def test_deleted_weights_are_noticed_where_a_run_needs_them(tmp_path):
    checkout = Checkout(tmp_path)
    case = {**CASE, "evaluate": True, "keep_weights": True, "trained_by": "numpy"}
    study = {**STUDY, "frameworks": ["numpy"], "stages": ["train", "infer"]}
    checkout.write({**study, "cases": {"first": case}, "machines": {"one": {}}})
    runs = checkout.folder / "results/tiny/runs"

    def statuses():
        checkout.snakemake("on_one")
        paths = {run: runs / run / "run.json" for run in (TRAINING, PREDICTING)}
        return {run: json.loads(path.read_text())["status"] for run, path in paths.items()}

    assert statuses() == {TRAINING: "ok", PREDICTING: "ok"}
    weights = runs / TRAINING / "weights.npz"
    weights.unlink()
    assert statuses() == {TRAINING: "ok", PREDICTING: "ok"}  # nobody needs them
    (runs / PREDICTING / "run.json").unlink()
    assert statuses() == {TRAINING: "ok", PREDICTING: "unavailable"}
    record = json.loads((runs / PREDICTING / "run.json").read_text())
    assert record["reason"].startswith(f"{weights} was deleted: delete its folder, and give ")
    shutil.rmtree(runs / TRAINING)
    assert statuses() == {TRAINING: "ok", PREDICTING: "ok"}


@pytest.mark.whole
def test_a_damaged_data_set_of_a_finished_study_is_made_again_and_no_run(tmp_path):
    checkout = Checkout(tmp_path)
    checkout.write({**STUDY, "frameworks": ["numpy"], "cases": {"first": CASE}})
    checkout.snakemake("all")
    records = {path: path.read_bytes() for path in tmp_path.rglob("run.json")}
    index = tmp_path / "results/data/digits/lmdb/dataset.json"
    index.write_bytes(index.read_bytes()[:100])
    printed, _ = checkout.snakemake("all")
    assert f"trainmark: {index.relative_to(tmp_path)} is damaged" in printed
    assert KEPT in printed
    assert {path: path.read_bytes() for path in tmp_path.rglob("run.json")} == records
    assert "Nothing to be done" in checkout.snakemake("all")[0]
