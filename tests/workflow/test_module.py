"""Another workflow takes this one as a module, from a folder of its own."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from small_checkout import CASE, TWICE

ROOT = Path(__file__).parents[2]
MACHINE = {
    **TWICE["machine"],
    "timeout_seconds": 300,
    "interpreters": {"numpy": sys.executable},  # there is no second adapter
}
STUDY = {**TWICE, "repeats": 1, "cases": {"lenet-digits": CASE}, "machine": MACHINE}
RUN = "results/tiny/runs/lenet-digits/numpy/cpu/float32/train-dataset/r1"
IMPORT = """
module trainmark:
    snakefile: {snakefile}
    config: config["benchmark"]

use rule * from trainmark {names}
"""
CONCLUSION = """

onstart:
    trainmark.onstart()

rule conclusion:
    default_target: True
    input: "results/tiny/measurements.csv"
    output: "conclusion.txt"
    shell: "test -s {input} && grep --count training_speed {input} > {output}"
"""


class Importer:
    """A workflow in a folder that has nothing of ours, and the snakemake that works in it."""

    def __init__(self, folder):
        self.folder = folder
        (folder / "config.yaml").write_text(yaml.safe_dump({"benchmark": STUDY}))

    def write(self, snakefile=f'"{ROOT}/Snakefile"', names="as trainmark_*", conclusion=CONCLUSION):
        imported = IMPORT.format(snakefile=snakefile, names=names)
        (self.folder / "Snakefile").write_text(
            'configfile: "config.yaml"\n' + imported + conclusion
        )

    def snakemake(self, *arguments, **variables):
        command = [sys.executable, "-m", "snakemake", "--cores", "all", *arguments]
        environment = {**os.environ, **variables}
        ended = subprocess.run(
            command, cwd=self.folder, env=environment, capture_output=True, text=True
        )
        assert ended.returncode == 0, ended.stderr
        return ended.stdout + ended.stderr


@pytest.fixture
def importer(tmp_path):
    return Importer(tmp_path)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Where such a workflow has come to its end."""
    importer = Importer(tmp_path_factory.mktemp("importer"))
    importer.write()
    importer.snakemake()
    return importer.folder


def test_its_measurements_are_the_input_of_a_rule_of_the_other_workflow(folder):
    assert (folder / "conclusion.txt").read_text() == "1\n"
    assert json.loads((folder / RUN / "run.json").read_text())["status"] == "ok"


def test_the_other_workflows_settings_of_the_machine_reach_its_runs(folder):
    job = json.loads((folder / RUN / "job.json").read_text())
    assert job["timeout_seconds"] == STUDY["machine"]["timeout_seconds"]


def test_what_it_does_at_the_start_can_be_called(folder):
    claimed = json.loads((folder / "results/.lock").read_text())
    assert claimed["folder"] == str(folder / "results")


def test_it_may_be_a_set_of_studies(importer):
    (importer.folder / "study.yaml").write_text(yaml.safe_dump(STUDY))
    study_set = {"benchmark": {"studies": {"tiny": ["study.yaml"]}}}
    importer.write()
    (importer.folder / "config.yaml").write_text(yaml.safe_dump(study_set))
    importer.snakemake()
    assert (importer.folder / "conclusion.txt").read_text() == "1\n"
    job = json.loads((importer.folder / RUN / "job.json").read_text())
    assert job["timeout_seconds"] == STUDY["machine"]["timeout_seconds"]


@pytest.mark.parametrize("names", ["", "as trainmark_*"])
@pytest.mark.parametrize("snakefile", ["Snakefile", "workflow/Snakefile"])
def test_without_a_target_of_the_importers_own_the_whole_study_is_planned(
    importer, snakefile, names
):
    importer.write(f'"{ROOT}/{snakefile}"', names, conclusion="")
    planned = importer.snakemake("--dry-run", "--quiet", "host", "reason")
    assert "Measure lenet-digits/numpy/cpu/float32/train-dataset, repeat 1 of 1" in planned
    assert "Draw the figure training_speed" in planned


def test_the_version_with_a_tag_is_taken_from_a_git_host(importer, tmp_path):
    """As `snakedeploy deploy-workflow` writes it; git is told that the host is a folder here."""
    origin = tmp_path / "origin"
    git = ["git", "-C", str(origin), "-c", "user.name=test", "-c", "user.email=test@localhost"]
    for name in ("workflow", "envs", "resources"):
        shutil.copytree(ROOT / name, origin / name, ignore=shutil.ignore_patterns("*.pyc"))
    shutil.copy(ROOT / "Snakefile", origin)
    for command in ("init --quiet", "add .", "commit --quiet --message=all", "tag v1.0"):
        subprocess.run([*git, *command.split()], check=True)
    host = 'github("someone/trainmark", path="workflow/Snakefile", tag="v1.0")'
    importer.write(host)
    importer.snakemake(
        GIT_CONFIG_COUNT="1",
        GIT_CONFIG_KEY_0=f"url.{origin.as_uri()}.insteadOf",
        GIT_CONFIG_VALUE_0="https://github.com/someone/trainmark",
        XDG_CACHE_HOME=str(tmp_path / "cache"),
    )
    assert (importer.folder / "conclusion.txt").read_text() == "1\n"
