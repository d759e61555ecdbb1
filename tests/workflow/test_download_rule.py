"""The rule `download` run by Snakemake: where files come from is no reason to do anything again."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from pictures import class_folders

RULES = Path(__file__).parents[2] / "workflow" / "rules" / "data.smk"
TRIGGERS = ("--rerun-triggers", "mtime", "params", "input")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A working folder in which `after.txt` hangs on MNIST."""
    (tmp_path / "Snakefile").write_text(
        f'include: "{RULES}"\n'
        "rule after:\n"
        '    input: "results/data/mnist/source.json"\n'
        '    output: "after.txt"\n'
        '    shell: "cp {input} {output}"\n',
        encoding="utf-8",
    )
    return tmp_path


def snakemake(folder: Path, target: str, **machine: object) -> subprocess.CompletedProcess[str]:
    settings = f"machine={json.dumps(machine)}"
    command = ["-m", "snakemake", *TRIGGERS, "--cores", "1", "--config", settings, "--", target]
    environment = {**os.environ, "PYTHONPATH": str(RULES.parents[1] / "scripts")}
    return subprocess.run(
        [sys.executable, *command], cwd=folder, env=environment, capture_output=True, text=True
    )


def test_another_mirror_runs_nothing_again(folder: Path, shared_data: Path) -> None:
    first = snakemake(folder, "after.txt", mirrors={"mnist": [str(shared_data)]})
    assert first.returncode == 0, first.stderr
    assert len(json.loads((folder / "after.txt").read_text(encoding="utf-8"))["files"]) == 4
    second = snakemake(folder, "after.txt", mirrors={"mnist": ["/elsewhere"]})
    assert "Nothing to be done" in second.stderr


def test_image_files_are_converted_where_they_are(folder: Path, tmp_path: Path) -> None:
    place = class_folders(tmp_path / "mine", {"aster": 6, "rose": 5})
    flowers = "folder-flowers-3x24x24-2"
    target = f"results/data/{flowers}-short16/lmdb/dataset.json"
    done = snakemake(folder, target, mirrors={flowers: [str(place)]})
    assert done.returncode == 0, done.stderr
    index = json.loads((folder / target).read_text(encoding="utf-8"))
    assert [split["count"] for split in index["splits"].values()] == [9, 2]
    again = snakemake(folder, target, mirrors={flowers: [str(place)]})
    assert "Nothing to be done" in again.stderr


@pytest.mark.parametrize(
    ("dataset", "told"),
    [("imagenet", "imagenet: its images are not"), ("cifar1", "unknown data set 'cifar1'; known")],
)
def test_an_error_is_one_line(folder: Path, dataset: str, told: str) -> None:
    failed = snakemake(folder, f"results/data/{dataset}/source.json")
    lines = [line for line in failed.stderr.splitlines() if line.startswith("trainmark: ")]
    assert failed.returncode == 1 and len(lines) == 1
    assert lines[0].startswith(f"trainmark: {told}")
    assert "Traceback" not in failed.stderr
