"""The rule `download` run by Snakemake: where files come from is no reason to do anything again."""

import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from interrupts import can_be_interrupted
from pictures import class_folders
from small_checkout import STUDY
from waiting import PATIENCE_SECONDS

RULES = Path(__file__).parents[2] / "workflow" / "rules"
RECORD_AND_INDEX = ("source.json", "lmdb/dataset.json")
TRIGGERS = ("--rerun-triggers", "mtime", "params", "input")
FLOWERS = "folder-flowers-3x24x24-2"
RESIZED = f"results/data/{FLOWERS}-short16/lmdb/dataset.json"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A working folder in which `after.txt` hangs on MNIST."""
    (tmp_path / "Snakefile").write_text(
        'configfile: "study.yaml"\n'
        f'include: "{RULES}/common.smk"\n'
        f'include: "{RULES}/data.smk"\n'
        "rule after:\n"
        '    input: "results/data/mnist/source.json"\n'
        '    output: "after.txt"\n'
        '    shell: "cp {input} {output}"\n',
        encoding="utf-8",
    )
    study = STUDY | {"frameworks": ["numpy"], "machine": {}}
    (tmp_path / "study.yaml").write_text(json.dumps(study), encoding="utf-8")
    return tmp_path


@pytest.fixture
def images(tmp_path: Path) -> Path:
    """Class folders of which RESIZED is made."""
    return class_folders(tmp_path / "mine", {"aster": 6, "rose": 5})


def start(folder: Path, target: str, **machine: object) -> subprocess.Popen[str]:
    settings = f"machine={json.dumps(machine)}"
    command = ["-m", "snakemake", *TRIGGERS, "--cores", "1", "--config", settings, "--", target]
    return subprocess.Popen(
        [sys.executable, *command],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=can_be_interrupted,
    )


def snakemake(folder: Path, target: str, **machine: object) -> subprocess.CompletedProcess[str]:
    process = start(folder, target, **machine)
    outputs = process.communicate()
    return subprocess.CompletedProcess(process.args, process.returncode, *outputs)


def test_another_mirror_runs_nothing_again(folder: Path, shared_data: Path) -> None:
    first = snakemake(folder, "after.txt", mirrors={"mnist": [str(shared_data)]})
    assert first.returncode == 0, first.stderr
    assert len(json.loads((folder / "after.txt").read_text(encoding="utf-8"))["files"]) == 4
    second = snakemake(folder, "after.txt", mirrors={"mnist": ["/elsewhere"]})
    assert "Nothing to be done" in second.stderr


def test_image_files_are_converted_where_they_are(folder: Path, images: Path) -> None:
    done = snakemake(folder, RESIZED, mirrors={FLOWERS: [str(images)]})
    assert done.returncode == 0, done.stderr
    index = json.loads((folder / RESIZED).read_text(encoding="utf-8"))
    assert [split["count"] for split in index["splits"].values()] == [9, 2]
    again = snakemake(folder, RESIZED, mirrors={FLOWERS: [str(images)]})
    assert "Nothing to be done" in again.stderr
    elsewhere = snakemake(folder, RESIZED, mirrors={FLOWERS: ["/absent"]})
    assert elsewhere.returncode == 1  # what was converted, and measured on it, isn't given up
    assert json.loads((folder / RESIZED).read_text(encoding="utf-8")) == index


def test_variants_are_made_of_one_download(folder: Path) -> None:
    targets = [f"results/data/{name}/lmdb/dataset.json" for name in ("digits", "digits-32x32")]
    for target, shape in zip(targets, ([1, 28, 28], [1, 32, 32]), strict=True):
        done = snakemake(folder, target)
        assert done.returncode == 0, done.stderr
        assert json.loads((folder / target).read_text(encoding="utf-8"))["image_shape"] == shape
    assert [path.parent.name for path in folder.rglob("source.json")] == ["digits"]


def test_what_was_made_of_a_data_set_stays_when_it_cannot_be_had_again(folder: Path) -> None:
    index = folder / "results/data/imagenet-short256/lmdb/dataset.json"
    index.parent.mkdir(parents=True)
    index.write_text('{"dataset": "imagenet-short256"}', encoding="utf-8")
    failed = snakemake(folder, "results/data/imagenet/source.json")
    assert failed.returncode == 1
    assert messages(failed.stderr) == ["trainmark: imagenet: its files are not fetched for you"]
    assert content(index) == {"dataset": "imagenet-short256"}


def test_an_error_is_one_line(folder: Path) -> None:
    failed = snakemake(folder, "results/data/cifar1/source.json")
    assert failed.returncode == 1
    message = "trainmark: unknown data set 'cifar1' (did you mean cifar10?)"
    assert messages(failed.stderr) == [message]
    assert "Traceback" not in failed.stderr


def messages(printed: str) -> list[str]:
    """The beginning of each line of ours, up to a semicolon."""
    lines = [line for line in printed.splitlines() if line.startswith("trainmark: ")]
    return [line.split(";")[0] for line in lines]


def content(path: Path) -> dict[str, str]:
    record: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
    return record


def test_a_data_set_that_cannot_be_had_says_why_in_its_record_and_in_its_index(
    folder: Path,
) -> None:
    record, index = (folder / f"results/data/imagenet/{name}" for name in RECORD_AND_INDEX)
    done = snakemake(folder, str(index.relative_to(folder)))
    assert done.returncode == 0, done.stderr
    reason = "imagenet: its files are not fetched for you"
    assert messages(done.stdout) == [f"trainmark: the data set imagenet is unavailable: {reason}"]
    for path in (record, index):
        assert content(path)["status"] == "unavailable"
        assert content(path)["reason"].startswith(reason)


def test_images_that_cannot_be_read_say_so_in_the_index(folder: Path, images: Path) -> None:
    (images / "aster" / "aster_1.JPEG").write_bytes(b"no image")
    done = snakemake(folder, RESIZED, mirrors={FLOWERS: [str(images)]})
    assert done.returncode == 0, done.stderr
    assert content(folder / RESIZED)["status"] == "unavailable"
    assert "aster_1.JPEG" in content(folder / RESIZED)["reason"]


def test_of_changed_images_what_was_converted_stays(folder: Path, images: Path) -> None:
    index, mirrors = folder / RESIZED, {FLOWERS: [str(images)]}
    assert snakemake(folder, RESIZED, mirrors=mirrors).returncode == 0
    (images / "aster" / "aster_1.JPEG").write_bytes(b"no image")
    index.unlink()
    failed = snakemake(folder, RESIZED, mirrors=mirrors)
    assert failed.returncode == 1
    assert messages(failed.stderr) == [
        f"trainmark: {images}: its images have changed since they were listed"
    ]
    assert not index.exists()


def test_a_download_that_was_interrupted_is_not_unavailable(folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        silent.settimeout(PATIENCE_SECONDS)
        mirror = f"http://127.0.0.1:{silent.getsockname()[1]}"
        process = start(folder, "after.txt", mirrors={"mnist": [mirror]})
        try:
            connection, _ = silent.accept()  # kept open, or the download would end by itself
            with connection:
                os.killpg(process.pid, signal.SIGINT)
                process.communicate()
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.communicate()
    assert process.returncode != 0
    assert not (folder / "results/data/mnist/source.json").exists()


def test_a_disk_that_takes_nothing_ends_the_study(folder: Path) -> None:
    source = folder / "results/data/mnist/source"
    source.parent.mkdir(parents=True)
    source.touch()
    failed = snakemake(folder, "after.txt")
    assert failed.returncode == 1
    (line,) = messages(failed.stderr)
    assert line.startswith("trainmark: can't use the folder results/data/mnist/source: ")
