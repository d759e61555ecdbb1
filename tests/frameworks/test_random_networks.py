"""Random networks in each framework: computed as the reference does, or `unsupported`."""

import json
from pathlib import Path

import adapters
import examples
import pytest

from trainmark.study import plugins

PROBE = Path(__file__).with_name("probe_random_networks.py")
PART = 10
"""How many networks a process tries."""
FIRSTS = range(0, 300, PART)
STAGES = ("train", "infer", "gradients")
NAMES = sorted({*adapters.TRAINING} - {"numpy", "caffe_train"})
PAIRS = [(adapter, first) for adapter in NAMES for first in FIRSTS]


@pytest.mark.parametrize(
    ("adapter", "first"), adapters.params(PAIRS, lambda adapter, first: first == FIRSTS[0])
)
def test_it_computes_random_networks_as_the_reference_or_not_at_all(
    run_script, framework_environment, tmp_path, adapter, first
):
    folder = tmp_path / "tried"
    arguments = (plugins.SCRIPTS, "job.json", "outcomes.jsonl", str(first), str(PART))
    job = examples.of_adapter(examples.LENET, adapter)
    run_script(framework_environment(adapter), PROBE, job, folder, *arguments)
    lines = (folder / "outcomes.jsonl").read_text(encoding="utf-8").splitlines()
    outcomes = [json.loads(line) for line in lines]
    wrong = [
        f"{outcome['number']} {stage} {outcome[stage]}"
        for outcome in outcomes
        for stage in STAGES
        if not outcome[stage].startswith(("passed", "unsupported: "))
    ]
    assert len(outcomes) == PART
    assert not wrong, "\n".join(wrong)
    assert any(outcome["train"] == "passed" for outcome in outcomes)
