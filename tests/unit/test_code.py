"""What a run's digest covers, and what it doesn't."""

import shutil

import pytest

from trainmark.study import code, plugins


@pytest.fixture
def worker(tmp_path, monkeypatch):
    """A copy of the worker, in which files can be changed."""
    copied = tmp_path / "worker"
    shutil.copytree(code.WORKER, copied, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(code, "WORKER", copied)
    folders = {"framework": copied / "frameworks", "network": copied / "networks"}
    monkeypatch.setattr(plugins, "FOLDERS", {**plugins.FOLDERS, **folders})
    return copied


def digest():
    code.of_run.cache_clear()
    return code.of_run("numpy", "cpu", "lenet", "train")


@pytest.mark.parametrize(
    "name",
    [
        "run.py",
        "job.py",
        "stages/train.py",
        "input/readers/lmdb.py",
        "networks/__init__.py",
        "networks/lenet.py",
        "frameworks/numpy/adapter.py",
        "frameworks/numpy/layers.py",
    ],
)
def test_an_edited_file_that_a_run_executes_changes_its_digest(worker, name):
    before = digest()
    with (worker / name).open("a") as file:
        file.write("\n# edited\n")
    assert digest() != before


@pytest.mark.parametrize(
    "name",
    ["networks/resnet50.py", "frameworks/jax/adapter.py", "networks/neutral/channels_last.py"],
)
def test_a_file_of_other_runs_does_not(worker, name):
    before = digest()
    (worker / name).write_text("")
    assert digest() == before


def test_touching_a_file_does_not(worker):
    before = digest()
    (worker / "run.py").touch()
    assert digest() == before


def test_a_reference_depends_on_its_network_and_not_on_the_runner(worker):
    before = code.of_reference("lenet")
    assert before != code.of_reference("resnet50")
    for name, unchanged in (("run.py", True), ("frameworks/numpy/layers.py", False)):
        with (worker / name).open("a") as file:
            file.write("\n# edited\n")
        code.of_reference.cache_clear()
        assert (code.of_reference("lenet") == before) is unchanged


def test_a_conversion_depends_on_its_format_and_its_data_set():
    digests = {code.of_conversion(d, f) for d in ("digits", "mnist") for f in ("lmdb", "recordio")}
    assert len(digests) == 4
    assert code.of_conversion("mnist", "lmdb") != code.of_conversion("synthetic-mnist", "lmdb")


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("convert.py", True),
        ("write/encoded.py", True),
        ("read/images.py", True),
        ("write/resumable.py", True),
        ("read/class_folders.py", True),
        ("formats/lmdb.py", True),
        ("datasets/folder.py", True),
        ("datasets/imagenet.py", False),
        ("formats/tfrecord.py", False),
        ("read/devkit.py", False),
        ("obtain/transfer.py", False),
    ],
)
def test_a_conversion_depends_on_what_it_executes(name, changes, tmp_path, monkeypatch):
    copied = tmp_path / "data"
    shutil.copytree(code.DATA, copied, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(code, "DATA", copied)
    before = conversion_digest()
    with (copied / name).open("a") as file:
        file.write("\n# edited\n")
    assert (conversion_digest() != before) is changes


def conversion_digest():
    code.of_conversion.cache_clear()
    return code.of_conversion("folder-flowers-3x24x24-3", "lmdb")
