"""Each study of config/ is planned by Snakemake, all of whose results are to be made."""

import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
CONFIG = ROOT / "config"
STUDIES = [CONFIG / "config.yaml", *sorted((CONFIG / "studies").glob("*.yaml"))]


@pytest.mark.parametrize("study", STUDIES, ids=lambda study: study.stem)
def test_a_dry_run_plans_each_study(study: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "snakemake", "--snakefile", ROOT / "Snakefile", "--dry-run"]
    command += ["--quiet", "all", "--configfile", study]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "input files updated by another job" in done.stdout + done.stderr


def cases(study: str) -> dict[str, dict]:
    return yaml.safe_load((CONFIG / f"{study}.yaml").read_text())["cases"]


def test_the_settings_that_are_held_against_published_accuracies_are_those_of_gtdlbench() -> None:
    whole, own = cases("studies/gtdlbench"), cases("studies/gtdlbench-mnist")
    assert len(own) == 4
    for name, case in own.items():
        owner = [whole[name]["default_of"]]
        assert case == {**whole[name], "frameworks": owner, "vary_seed": True}


def test_the_settings_trained_from_several_seeds_are_those_of_the_short_study() -> None:
    whole, short = cases("studies/gtdlbench"), cases("gtdlbench-short")
    assert cases("studies/gtdlbench-seeds") == {
        name: {**whole[name], **short[name], "vary_seed": True}
        for name in ("mnist-caffe", "mnist-theano", "mnist-torch", "cifar10-caffe")
    }
