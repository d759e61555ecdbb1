"""The study that an archive holds plans the same runs on another machine."""

import json
from pathlib import Path

import pytest
import yaml
from small_study import ENVIRONMENTS

from trainmark.analyse.sets import shared_study
from trainmark.study import plan, planned_run
from trainmark.study.config import base

CONFIG = Path(__file__).parents[2] / "config"
STUDIES = sorted((CONFIG / "studies").glob("*.yaml"))


def conditions(study: plan.Plan) -> set[str]:
    """What the runs of a study depend on, but for the machine's name."""
    settings = (run.settings for run in study.runs.values())
    return {planned_run.canonical({**each, "machine_name": None}) for each in settings}


@pytest.mark.parametrize("file", STUDIES, ids=lambda path: path.stem)
def test_a_study_of_ours(file: Path) -> None:
    config = base.with_cases(yaml.safe_load(file.read_text(encoding="utf-8")), [file])
    study = plan.make(config, ENVIRONMENTS)
    shared = json.loads(shared_study.text(study.config))
    assert shared.keys().isdisjoint(shared_study.LOCAL)
    assert conditions(plan.make(shared, ENVIRONMENTS)) == conditions(study)
