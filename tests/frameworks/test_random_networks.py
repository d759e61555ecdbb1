"""Random networks in each framework and precision: as the reference computes, or `unsupported`."""

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
BIAS = "a convolution's bias: its gradient is a sum over all pixels, in float16 on processors"
CANCELLED = "what passes a batch norm cancels in {}, so that roundings are a larger part of it"
GRADIENTS_BEYOND = {
    ("tensorflow", "float16"): {
        95: BIAS,
        190: BIAS,
        212: CANCELLED.format("the mean over all pixels, and the last kernel's gradient"),
    },
    ("jax", "float16"): {
        33: CANCELLED.format("the gradient of the shift before another batch norm"),
        116: CANCELLED.format("the gradient of the scale after another batch norm"),
    },
}
"""By number, the networks whose gradients miss the reference, and where; their runs would fail."""
NAMES = sorted({*adapters.TRAINING} - {"numpy", "caffe_train"})


def parts():
    """Ten networks each; `make test` has thirty of an adapter in float32, ten in a narrow type."""
    for adapter in NAMES:
        for precision in adapters.precisions_on_cpu(adapter):
            for first in FIRSTS:
                most = 30 if precision == "float32" else PART
                whole = [pytest.mark.whole] * (first >= most)
                marks = [*adapters.needs(adapter, precision), *whole]
                yield pytest.param(adapter, precision, first, marks=marks)


@pytest.mark.parametrize(("adapter", "precision", "first"), list(parts()))
def test_it_computes_random_networks_as_the_reference_or_not_at_all(
    run_script, framework_environment, tmp_path, adapter, precision, first
):
    folder = tmp_path / "tried"
    arguments = (plugins.SCRIPTS, "job.json", "outcomes.jsonl", str(first), str(PART))
    job = examples.of_adapter({**examples.LENET, "precision": precision}, adapter)
    run_script(framework_environment(adapter), PROBE, job, folder, *arguments)
    lines = (folder / "outcomes.jsonl").read_text(encoding="utf-8").splitlines()
    outcomes = [json.loads(line) for line in lines]
    beyond = GRADIENTS_BEYOND.get((adapter, precision), {})
    wrong = [
        f"{outcome['number']} {stage} {outcome[stage]}"
        for outcome in outcomes
        for stage in (STAGES if outcome["number"] not in beyond else ("infer",))
        if not outcome[stage].startswith(("passed", "unsupported: "))
    ]
    assert len(outcomes) == PART
    assert not wrong, "\n".join(wrong)
    assert any(outcome["train"] == "passed" for outcome in outcomes)
