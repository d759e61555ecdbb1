"""Experts' settings: what the study `tuned` tries does the work of the reference."""

from pathlib import Path

import examples
import pytest
import yaml

from trainmark.runs import events
from trainmark.study import stages

STUDY = Path(__file__).parents[2] / "config" / "studies" / "tuned.yaml"
ENTRIES = [
    entry
    for entry in yaml.safe_load(STUDY.read_text(encoding="utf-8"))["frameworks"]
    if "options" in entry
]
OF_PREDICTION = ("pytorch-frozen", "mxnet-fused")
CHOSEN = "mxnet-fused"
"""What `make test` tries: the others take minutes to compile."""


def param(entry):
    name = entry["framework"]
    return pytest.param(entry, id=name, marks=[] if name == CHOSEN else pytest.mark.whole)


@pytest.mark.parametrize("entry", [param(entry) for entry in ENTRIES])
def test_a_setting_of_experts_does_the_work_of_the_reference(run_events, entry):
    predicts = entry["framework"] in OF_PREDICTION
    stage = {"stage": "infer", **stages.NO_UPDATE} if predicts else {}
    job = examples.small_images("resnet20", options=entry["options"], **stage)
    log, rejected = run_events(entry["adapter"], job)
    assert (events.last(log, "error"), rejected) == (None, 0)
    assert events.last(log, "window_end")
