"""A generation is proven step by step, and each token is checked by one pass over whole texts."""

from functools import cache

import numpy as np
import pytest
from examples import small_images
from judged import judged

from trainmark.runs import events
from worker import networks
from worker.events import ParityFailed
from worker.frameworks.numpy.adapter import Adapter
from worker.input import fixed_batch
from worker.job import Job
from worker.networks.neutral import update_rule, weights
from worker.proof import generated, tolerances
from worker.proof.observe import Subject, generation
from worker.proof.reference import of_network
from worker.stages import generate

JOBS = {
    name: Job(**small_images(name, stage="generate", steps=10))
    for name in ("char_lstm", "gpt2_mini")
}


class Recomputing(Adapter):
    """Keeps texts instead of a cache: reads all tokens again for each new one."""

    stepwise_logits = Adapter.__base__.stepwise_logits

    def prefill(self, batch):
        self.texts = batch[0][..., : -self.job.steps]
        return self._next()

    def decode(self, tokens):
        new = np.asarray(tokens, self.texts.dtype).reshape(-1, 1, 1, 1)
        self.texts = np.concatenate([self.texts, new], axis=-1)
        return self._next()

    def token_logits(self):
        return self.last

    def _passes(self, layer, inputs, by_role, training):
        if layer.kind == "positions":
            by_role = {"positions": by_role["positions"][: inputs[0].shape[1]]}
        return super()._passes(layer, inputs, by_role, training)

    def _next(self):
        self.last = self.infer((self.texts, None))[:, -1]
        return self.last.argmax(axis=-1)


class ForgetsFirstToken(Recomputing):
    """A cache that lacks the first token."""

    def _next(self):
        self.last = self.infer((self.texts[..., 1:], None))[:, -1]
        return self.last.argmax(axis=-1)


class ReadsTheLastTokenTwice(Recomputing):
    """A cache in which the last token of a prompt stands twice."""

    def prefill(self, batch):
        super().prefill(batch)
        return self.decode(self.texts[:, 0, 0, -1])


class KeepsTheFirstPosition(Recomputing):
    """Positions that stay where the prompt ended."""

    def decode(self, tokens):
        self.texts = self.texts[..., 1:]
        return super().decode(tokens)


@cache
def right(name):
    """A job, its network and weights, and the reference of its observation."""
    job = JOBS[name]
    network = networks.build(job.network, job.image_shape, job.classes)
    initial = weights.usual(network, job.seed)
    return job, network, initial, of_network(network, initial, job, generation)


def subject(name, adapter_class):
    job, network, initial, _ = right(name)
    adapter = adapter_class(job)
    adapter.build(network, update_rule.of_job(job).for_proof())
    adapter.load(initial)
    return Subject(adapter, network, initial, adapter.batch(*fixed_batch.whole(job)), job)


def result_of(name, adapter_class):
    job, network, _, reference = right(name)
    return judged(reference, adapter_class(job), network, job, observe=generation)


@pytest.mark.parametrize("name", JOBS)
def test_the_same_logits_token_by_token_pass(name):
    result = result_of(name, Recomputing)
    assert result["passed"]
    assert result["stepwise_logits"] < 1e-5


WRONG = [ForgetsFirstToken, ReadsTheLastTokenTwice, KeepsTheFirstPosition]


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("name", JOBS)
def test_a_wrong_cache_fails_beside_right_logits(name, wrong):
    result = result_of(name, wrong)
    assert result["logits"] < 1e-5
    assert result["stepwise_logits"] > 10 * tolerances.FLOAT32["stepwise_logits"]


def test_tokens_are_those_of_one_pass_over_the_whole_texts(capsys):
    adapter, network, initial, batch, job = subject("char_lstm", Recomputing)
    generate.run(adapter, job._replace(warmup_steps=1), network, initial, batch)
    log = events.parse(capsys.readouterr().out)
    checked = events.last(log, "generated")
    assert (checked["tokens"], checked["same"]) == (80, 80)
    assert len(events.last(log, "latency")["call_seconds"]) == 9
    assert events.last(log, "prefill")["prompt_tokens"] == 14
    assert events.last(log, "window_end")["images"] == 80


def test_other_tokens_fail(capsys):
    adapter, *_, batch, job = subject("char_lstm", Recomputing)
    tokens = generate.queued(adapter, job, batch)
    tokens[7, 9] = 0
    with pytest.raises(ParityFailed, match=r"^1 of 80 generated tokens"):
        generated.check(adapter, job, tokens)
