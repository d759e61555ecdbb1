"""Trained weights of a run whose case asks for them: an output that is there in any case."""

from pathlib import Path

import numpy as np
from little_worker import Run
from machine_settings import LIMITS

from trainmark.runs.measure import Patience

TRAINED = """
import zipfile
count = len(os.listdir())
def train():
    with zipfile.ZipFile("weights.npz", "w") as file:
        file.writestr(f"attempt{count}.npy", WEIGHTS)
    emit("window_start", time_seconds=time.monotonic() - 0.2)
    emit("window_end", steps=1, images=64, wait_seconds=0, step_end_seconds=[], losses=[])
train()
"""
WEIGHTS = """
import numpy
with open("array.npy", "wb") as file:
    numpy.save(file, numpy.arange(3.0))
WEIGHTS = open("array.npy", "rb").read()
"""


def arrays(folder: Path) -> list[str]:
    with np.load(folder / "run" / "weights.npz") as stored:
        return [str(name) for name in stored]


def test_they_are_beside_the_record_of_a_run_that_is_ok(run: Run, tmp_path: Path) -> None:
    assert run(WEIGHTS + TRAINED + "emit('end')", keep_weights=True)["status"] == "ok"
    assert len(arrays(tmp_path)) == 1


def test_of_several_attempts_one_is_left(run: Run, tmp_path: Path) -> None:
    never_quiet = LIMITS._replace(swapped_mebibytes=-1.0)
    record = run(
        WEIGHTS + TRAINED + "emit('end')",
        never_quiet,
        Patience(attempts=2, wait_seconds=0),
        keep_weights=True,
    )
    assert record["attempts"] == 2
    assert len(arrays(tmp_path)) == 1
    assert not list((tmp_path / "run").glob(".attempt*"))


def test_a_run_that_fails_after_it_trained_keeps_a_file_without_arrays(
    run: Run, tmp_path: Path
) -> None:
    assert run(WEIGHTS + TRAINED + "sys.exit(1)", keep_weights=True)["status"] == "failed"
    assert arrays(tmp_path) == []


def test_a_run_that_is_not_asked_for_them_has_no_file(run: Run, tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "weights.npz").touch()  # of an earlier run, which was
    run("emit('end')")
    assert not (tmp_path / "run" / "weights.npz").exists()
