"""A generation is proven step by step, and each token is checked by one pass over whole texts."""

import numpy as np
import pytest
from examples import small_images

from trainmark.runs import events
from worker import networks
from worker.events import ParityFailed
from worker.frameworks.numpy.adapter import Adapter
from worker.input import fixed_batch
from worker.job import Job
from worker.networks.neutral import update_rule, weights
from worker.proof import tolerances
from worker.proof.check import judge
from worker.proof.observe import Subject, generation
from worker.proof.reference import of_network
from worker.stages import generate

JOB = Job(**small_images("char_lstm", stage="generate", steps=10))
NETWORK = networks.build(JOB.network, JOB.image_shape, JOB.classes)
INITIAL = weights.usual(NETWORK, JOB.seed)


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


def subject(adapter_class):
    adapter = adapter_class(JOB)
    adapter.build(NETWORK, update_rule.of_job(JOB).for_proof())
    adapter.load(INITIAL)
    return Subject(adapter, NETWORK, INITIAL, adapter.batch(*fixed_batch.whole(JOB)), JOB)


@pytest.fixture(scope="module")
def reference():
    return of_network(NETWORK, INITIAL, JOB, generation)


def judged(reference, adapter_class):
    observed_subject = subject(adapter_class)
    return judge(reference, generation(observed_subject, lambda call: call()), observed_subject)


def test_the_same_logits_token_by_token_pass(reference):
    result = judged(reference, Recomputing)
    assert result["passed"]
    assert result["stepwise_logits"] < 1e-5


@pytest.mark.parametrize("wrong", [ForgetsFirstToken, ReadsTheLastTokenTwice])
def test_a_wrong_cache_fails_beside_right_logits(reference, wrong):
    result = judged(reference, wrong)
    assert result["logits"] < 1e-5
    assert result["stepwise_logits"] > 10 * tolerances.FLOAT32["stepwise_logits"]


def test_tokens_are_those_of_one_pass_over_the_whole_texts(capsys):
    _, network, initial, batch, _ = right = subject(Recomputing)
    job = JOB._replace(warmup_steps=1)
    generate.run(right.adapter, job, network, initial, batch)
    log = events.parse(capsys.readouterr().out)
    told = events.last(log, "generated")
    assert (told["tokens"], told["same"]) == (80, 80)
    assert len(events.last(log, "latency")["call_seconds"]) == 9
    assert events.last(log, "prefill")["prompt_tokens"] == 14
    assert events.last(log, "window_end")["images"] == 80


def test_other_tokens_fail():
    adapter = subject(Recomputing).adapter
    tokens = generate.waited(adapter, adapter.batch(*fixed_batch.whole(JOB)), JOB.steps).tokens
    with pytest.raises(ParityFailed, match=r"^1 of 80 generated tokens"):
        generate.check_tokens(
            adapter, JOB, np.where(np.arange(80) == 79, 0, tokens.ravel()).reshape(8, 10)
        )
