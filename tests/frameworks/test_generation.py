"""Language models continue texts: step by step what one pass over the whole texts gives."""

import examples
import pytest

from trainmark.runs import events
from trainmark.study import stages

GENERATING = ("pytorch", "tensorflow", "jax", "mxnet")
SETTINGS = {"stage": "generate", "steps": 8, **stages.NO_UPDATE}
JOBS = {
    "gpt2_mini": examples.small_images("gpt2_mini", **SETTINGS),
    "char_lstm": examples.small_images("char_lstm", **SETTINGS),
    "bfloat16": examples.small_images("gpt2_mini", precision="bfloat16", **SETTINGS),
}


PAIRS = [(adapter, name) for adapter in GENERATING for name in JOBS]
PAIRS.remove(("mxnet", "bfloat16"))


@pytest.mark.parametrize(("adapter", "name"), PAIRS)
def test_tokens_and_the_logits_of_each_step_are_the_references(adapter, name, job_events):
    log = job_events(adapter, [JOBS[each] for other, each in PAIRS if other == adapter])[
        [*JOBS].index(name)
    ]
    parity = events.last(log, "parity")
    assert parity["passed"], parity
    generated = events.last(log, "generated")
    assert generated["same"] + generated["ties"] == generated["tokens"] == 64
    assert events.last(log, "prefill")["prompt_tokens"] == 16
    assert events.last(log, "window_end")["images"] == 64
