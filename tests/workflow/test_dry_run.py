"""What a dry run reports before any work is done."""

import subprocess
import sys
from pathlib import Path

import pytest

SNAKEFILE = Path(__file__).parents[2] / "Snakefile"
STUDY = """\
study: example
protocol: 1
repeats: 1
seed: 1
frameworks: [numpy]
devices: [cpu, "cuda:64"]
cases:
  lenet-mnist: {network: lenet, dataset: mnist, batch_size: 64, steps: 1, learning_rate: 0.01}
machine: {threads: 5000, mirrors: {mnist: [/absent]}}
"""


def dry_run(folder: Path, *arguments: str) -> tuple[int, list[str]]:
    """Its exit status, and what it printed but for the line on its profile."""
    command = [sys.executable, "-m", "snakemake", "--snakefile", SNAKEFILE, "-n", *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    lines = (done.stdout + done.stderr).splitlines()
    return done.returncode, [line for line in lines if "profile" not in line]


def test_it_tells_what_this_machine_lacks(tmp_path: Path) -> None:
    (tmp_path / "study.yaml").write_text(STUDY, encoding="utf-8")
    status, lines = dry_run(tmp_path, "--configfile", "study.yaml")
    messages = [
        line.removeprefix("trainmark: ") for line in lines if line.startswith("trainmark: ")
    ]
    assert status == 0
    assert [line.split(" ")[0] for line in messages] == [
        "cuda:64",
        "machine.threads:",
        "machine.mirrors.mnist:",
        "2",
    ]
    assert messages[-1].startswith("2 runs to be measured: of unknown duration")


def test_a_default_study_that_cannot_be_read_is_reported_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "config.yaml").write_text("study: a\n\tcases: b\n", encoding="utf-8")
    status, lines = dry_run(tmp_path)
    assert status == 1
    (line,) = lines
    assert line.startswith("trainmark: config/config.yaml: line 2, column 1: found character")


@pytest.mark.parametrize("name", ["slurm", "ssh"])
def test_a_missing_plug_in_for_clusters_is_reported_in_one_line(name: str) -> None:
    status, lines = dry_run(SNAKEFILE.parent, "--workflow-profile", f"profiles/{name}")
    assert status == 1
    (line,) = lines
    assert line.startswith("trainmark: Snakemake's plug-in for ")
    assert "`make slurm`" in line


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("frameworks: [numpy\nstudy: a\n", "line 2, column 6: expected ',' or ']', but got ':'"),
        ("study: a\ncases:\n  a: {}\n  a: {}\n", "cases: a entered twice, in line 3 and in line 4"),
    ],
)
def test_a_study_that_cannot_be_read_is_reported_in_one_line(
    tmp_path: Path, content: str, message: str
) -> None:
    study = tmp_path / "study.yaml"
    study.write_text(content, encoding="utf-8")
    status, lines = dry_run(SNAKEFILE.parent, "--configfile", str(study))
    assert status == 1
    (line,) = lines
    assert line.startswith(f"trainmark: {study}: {message}")
