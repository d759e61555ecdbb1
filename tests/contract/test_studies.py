"""Each study of config/ is planned by Snakemake and has the settings that it is to have."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import yaml

from trainmark.study.config import base

ROOT = Path(__file__).parents[2]
CONFIG = ROOT / "config"
STUDIES = [CONFIG / "config.yaml", *sorted((CONFIG / "studies").glob("*.yaml"))]
THESIS = ROOT / "resources" / "published" / "thesis" / "settings.csv"
PUBLISHED = pd.read_csv(THESIS, dtype={"figure": str}).to_dict("records")
"""The settings of each case of the thesis."""


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


def test_settings_compared_with_published_accuracies_are_in_their_framework_alone() -> None:
    for case in cases("studies/gtdlbench-mnist").values():
        assert case["frameworks"] == [case["default_of"]]


@pytest.mark.parametrize("case", PUBLISHED, ids=lambda case: case["figure"])
def test_our_study_of_the_thesis_has_its_settings(case: dict[str, Any]) -> None:
    settings = cases("studies/thesis")[f"{case['network']}-{case['dataset']}".lower()]
    # At the published rate GoogLeNet diverges in every framework: docs/studies/thesis.md.
    rate = 0.01 if case["network"] == "GoogLeNet" else case["learning_rate"]
    assert settings["batch_size"] == case["batch_size"]
    assert settings["steps"] == case["steps"]
    assert settings["learning_rate"] == rate


def test_our_study_of_the_thesis_has_its_nine_cases() -> None:
    assert len(cases("studies/thesis")) == len(PUBLISHED) == 9
