"""Reasons why a run is not measured, known before anything of it has started."""

import shutil

import numpy as np
import pytest
from examples import LENET, of_adapter

from trainmark.runs import unmeasured

BUILT = {"status": "available", "reason": None}


def outcome(adapter, lock=BUILT, excluded=None):
    return unmeasured.outcome(of_adapter(LENET, adapter), [lock], excluded, None)


def test_a_run_of_what_is_there_is_measured():
    assert outcome("numpy") is None


def test_an_environment_that_could_not_be_built_is_the_reason():
    result = outcome("numpy", {"status": "unavailable", "reason": "no gcc"})
    assert result == ("unavailable", "no gcc")


def test_what_no_machine_of_ours_has_says_so_whatever_its_environment():
    assert outcome("coreml").status == "unavailable"
    assert "macOS" in outcome("coreml").reason


def test_what_the_study_leaves_out_is_unsupported_with_the_studys_reason():
    result = outcome("coreml", excluded="no interest")
    assert result == ("unsupported", "left out by the study: no interest")


@pytest.mark.parametrize("name", ["weights.npz", "predictions.npz"])
def test_damaged_files_of_the_run_that_trained_are_named_with_what_to_do(tmp_path, name):
    for kept in ("weights.npz", "predictions.npz"):
        np.savez(tmp_path / kept, values=np.zeros(100))
    job = {**of_adapter(LENET, "numpy"), "trained": str(tmp_path / "weights.npz")}
    assert unmeasured.outcome(job, [BUILT], None, None) is None
    damaged = tmp_path / name
    damaged.write_bytes(damaged.read_bytes()[:-30])
    result = unmeasured.outcome(job, [BUILT], None, None)
    assert result == (
        "unavailable",
        f"{damaged} is damaged: delete its folder, and give the same command again",
    )


def test_deleted_weights_of_the_run_that_trained_are_named_with_what_to_do(tmp_path):
    weights = tmp_path / "weights.npz"
    job = {**of_adapter(LENET, "numpy"), "trained": str(weights)}
    reason = f"{weights} was deleted: delete its folder, and give the same command again"
    assert unmeasured.outcome(job, [BUILT], None, None) == ("unavailable", reason)


@pytest.mark.parametrize("status", ["ok", "failed"])
def test_deleted_images_of_the_run_that_attacked_are_named_where_it_made_any(
    tmp_path, recorded_runs, status
):
    run = next(run for run in recorded_runs if run.record["status"] == status)
    record = shutil.copy(run.folder / "run.json", tmp_path)
    job = {**of_adapter(LENET, "numpy"), "attacked": str(record)}
    reason = f"{tmp_path / 'adversarial.npz'} was deleted: delete its folder, and give the same"
    result = unmeasured.outcome(job, [BUILT], None, None)
    assert result.reason.startswith(reason) if status == "ok" else result is None
