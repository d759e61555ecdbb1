"""Each study of config/ is planned by Snakemake, all of whose results are to be made."""

import subprocess
import sys
from pathlib import Path

import yaml

from trainmark.study.config import base

ROOT = Path(__file__).parents[2]
CONFIG = ROOT / "config"
STUDIES = [CONFIG / "config.yaml", *sorted((CONFIG / "studies").glob("*.yaml"))]


def test_a_dry_run_plans_all_studies(tmp_path: Path) -> None:
    """As one set, since each call of Snakemake takes seconds."""
    names = {yaml.safe_load(study.read_text())["study"]: [str(study)] for study in STUDIES}
    assert len(names) == len(STUDIES)
    study_set = tmp_path / "set.yaml"
    study_set.write_text(yaml.safe_dump({"studies": names}))
    command = [sys.executable, "-m", "snakemake", "--snakefile", ROOT / "Snakefile", "--dry-run"]
    command += ["--quiet", "all", "--configfile", study_set]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "input files updated by another job" in done.stdout + done.stderr


def cases(study: str) -> dict[str, dict]:
    file = CONFIG / f"{study}.yaml"
    return base.with_cases(yaml.safe_load(file.read_text()), [file])["cases"]


def test_the_settings_trained_from_several_seeds_are_those_of_the_short_study() -> None:
    short, seeds = cases("gtdlbench-short"), cases("studies/gtdlbench-seeds")
    assert {name: case["steps"] for name, case in seeds.items()} == {
        name: short[name]["steps"]
        for name in ("mnist-caffe", "mnist-theano", "mnist-torch", "cifar10-caffe")
    }


def test_settings_compared_with_published_accuracies_are_in_their_framework_alone() -> None:
    for case in cases("studies/gtdlbench-mnist").values():
        assert case["frameworks"] == [case["default_of"]]
