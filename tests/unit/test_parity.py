"""Parity: equal adapters pass, and each way of being unequal is caught and named."""

import numpy
import pytest
from examples import LENET, small_images
from judged import judged, reference_of, shares

from trainmark.runs import events
from worker import networks
from worker.events import ParityFailed
from worker.frameworks.numpy.adapter import Adapter
from worker.input import fixed_batch
from worker.job import Job
from worker.networks.neutral import update_rule, weights
from worker.networks.neutral.builder import Network
from worker.proof import observe, start
from worker.proof.check import check
from worker.proof.observe import Subject
from worker.proof.reference import compute

JOB = Job(**LENET)._replace(batch_size=16, threads=1)
NETWORK = networks.build("lenet", (1, 28, 28), 10)
INITIAL = weights.initial(NETWORK, JOB.seed)


@pytest.fixture(scope="module")
def reference():
    return reference_of(NETWORK, JOB, observe.training)


def beyond(result):
    """The quantities that are off by more than they may be."""
    return [name for name, share in shares(result).items() if not share <= 1]


class OneLayerWrong(Adapter):
    def _update(self, gradients):
        super()._update({**gradients, "conv2/weight": gradients["conv2/weight"][:, ::-1]})


class WrongLogits(Adapter):
    def predict(self, batch):
        logits, labels = super().predict(batch)
        return logits * 1.01, labels


class WrongLoss(Adapter):
    def train_step(self, batch):
        return super().train_step(batch) * 1.01


class WrongOnceTrained(Adapter):
    """As where running statistics were not moved by the step."""

    def predict(self, batch):
        logits, labels = super().predict(batch)
        is_trained = self.optimiser.step_count > 0
        return logits * (1.05 if is_trained else 1), labels


class ForgetsRunningStatistics(Adapter):
    def _track(self, layer, x):
        pass


def normalised_network():
    """One convolution with batch norm, on images of LENET's shape."""
    net = Network((1, 28, 28), 10)
    x = net.batch_norm("norm", net.conv("conv", net.input, 8, kernel=3, bias=False))
    net.dense("dense", net.global_average_pool("pool", net.relu("relu", x)), 10)
    return net


def test_running_statistics_that_stay_where_they_were_fail():
    network = normalised_network()
    reference = reference_of(network, JOB, observe.training)
    assert judged(reference, Adapter(JOB), network, JOB)["passed"]
    forgotten = judged(reference, ForgetsRunningStatistics(JOB), network, JOB)
    assert beyond(forgotten) == ["logits_after"]


def test_float32_agrees_with_float64(reference):
    result = judged(reference, Adapter(JOB), NETWORK, JOB)
    assert result["passed"]
    assert result["error"] < 1e-5


@pytest.mark.parametrize(
    ("adapter", "changes", "quantity"),
    [
        (WrongLogits, {}, "logits"),
        (WrongLoss, {}, "loss"),
        (WrongOnceTrained, {}, "logits_after"),
        (OneLayerWrong, {}, "update"),
        (Adapter, {"learning_rate": 0.011}, "update"),
        (Adapter, {"momentum": 0.5}, "momentum"),
        (Adapter, {"weight_decay": 0.5}, "gradient_norm"),
    ],
)
def test_unequal_work_fails_by_its_own_quantity(reference, adapter, changes, quantity):
    result = judged(reference, adapter(JOB._replace(**changes)), NETWORK, JOB)
    assert not result["passed"]
    assert quantity in beyond(result)


ADAM = JOB._replace(optimiser="adam", learning_rate=1e-4, momentum=0.0)


class WithoutCorrection(Adapter):
    """As where Adam's first steps are not corrected for momenta that begin at 0."""

    def _update(self, gradients):
        self.optimiser.step_count += 1000
        super()._update(gradients)


def test_adam_agrees_with_itself_and_is_distinguished_from_other_updates():
    reference = reference_of(NETWORK, ADAM, observe.training)
    right = judged(reference, Adapter(ADAM), NETWORK, ADAM)
    assert right["passed"]
    assert right["error"] < 1e-4
    assert "update" in beyond(judged(reference, WithoutCorrection(ADAM), NETWORK, ADAM))
    by_sgd = Adapter(ADAM._replace(optimiser="sgd", learning_rate=0.01))
    assert "momentum" in beyond(judged(reference, by_sgd, NETWORK, ADAM))


def test_biases_and_tensors_have_a_rate_and_a_decay_of_their_own():
    job = JOB._replace(bias_rate=2.0, weight_decay={"dense1/weight": 0.5})
    reference = reference_of(NETWORK, job, observe.training)
    assert judged(reference, Adapter(job), NETWORK, job)["passed"]
    for changes in ({"bias_rate": 1.0}, {"weight_decay": {"dense2/weight": 0.5}}):
        wrong = judged(reference, Adapter(job._replace(**changes)), NETWORK, job)
        assert "update" in beyond(wrong)


def test_the_wrong_layer_is_named(reference):
    result = judged(reference, OneLayerWrong(JOB), NETWORK, JOB)
    assert result["worst_layer"] == "conv2/weight"


class BreaksItsVelocity(Adapter):
    """The second step is wrong, and not a number."""

    def _update(self, gradients):
        super()._update(gradients)
        self.optimiser.moments["conv1/weight"][0][:] = numpy.nan


class BreaksItsLoss(Adapter):
    def train_step(self, batch):
        super().train_step(batch)
        return numpy.nan


@pytest.mark.parametrize("adapter", [BreaksItsVelocity, BreaksItsLoss])
def test_a_result_that_is_not_a_number_fails(reference, adapter):
    assert not judged(reference, adapter(JOB), NETWORK, JOB)["passed"]


@pytest.mark.parametrize("learning_rate", [1e-6, 1e-5, 1e-4, 1])
def test_float32_passes_at_rates_at_which_it_rounds_most_of_an_update_away(learning_rate):
    network = normalised_network()
    job = JOB._replace(learning_rate=learning_rate)
    reference = reference_of(network, job, observe.training)
    assert judged(reference, Adapter(job), network, job)["passed"]
    other = job._replace(learning_rate=1.1 * learning_rate)
    assert not judged(reference, Adapter(other), network, job)["passed"]


class WrongPrediction(Adapter):
    def infer(self, batch):
        return 1.001 * super().infer(batch)


class WrongGradients(Adapter):
    def gradient_arrays(self):
        return {**super().gradient_arrays(), "conv2/bias": numpy.zeros(50)}


@pytest.mark.parametrize(
    ("look", "adapter", "expected"),
    [
        (observe.prediction, WrongPrediction, (["logits"], None)),
        (observe.gradients, WrongGradients, (["gradient", "gradient_norm"], "conv2/bias")),
    ],
)
def test_other_stages_are_compared_with_what_they_do(look, adapter, expected):
    reference = reference_of(NETWORK, JOB, look)
    assert judged(reference, Adapter(JOB), NETWORK, JOB, observe=look)["passed"]
    result = judged(reference, adapter(JOB), NETWORK, JOB, observe=look)
    assert (sorted(beyond(result)), result["worst_layer"]) == expected


def test_repeating_the_distinct_images_changes_no_gradient(reference):
    few = JOB._replace(batch_size=8)
    alone = reference_of(NETWORK, few, observe.training)
    numpy.testing.assert_allclose(alone["gradient_norm"], reference["gradient_norm"], rtol=1e-9)


@pytest.mark.parametrize(("batch_size", "distinct"), [(64, 8), (100, 5), (7, 7), (13, 1)])
def test_distinct_images_divide_the_batch(batch_size, distinct):
    assert fixed_batch.distinct_images(JOB._replace(batch_size=batch_size)) == distinct


@pytest.mark.parametrize(("tokens", "distinct"), [(128, 8), (512, 2), (2048, 1)])
def test_long_texts_are_few(tokens, distinct):
    job = JOB._replace(network="char_lstm", image_shape=[1, 1, tokens], batch_size=8)
    assert fixed_batch.distinct_images(job) == distinct


class WrongOnce(Adapter):
    """Falls on the other side of a kink with the first batch, as float32 may."""

    def train_step(self, batch):
        is_first = not hasattr(self, "seen")
        self.seen = True
        loss = super().train_step(batch)
        if is_first:
            self.values["conv1/weight"] *= 1.01
        return loss


def gate(adapter_class, folder, job=JOB, built=(NETWORK, INITIAL), look=observe.training):
    """Have a run's gate check an adapter beside the stored reference of its job."""
    job = job._replace(reference=str(folder / "reference.npz"))
    numpy.savez(job.reference, **compute(job, look))
    adapter, (network, initial) = adapter_class(job), built
    adapter.build(network, update_rule.of_job(job).for_proof())
    adapter.load(initial)
    batch = adapter.batch(*fixed_batch.whole(job))
    check(Subject(adapter, network, initial, batch, job), look)


def passed(printed):
    printed_events = events.parse(printed)
    return [event["passed"] for event in printed_events if event["event"] == "parity"]


def test_one_batch_is_enough_where_it_agrees(tmp_path, capsys):
    gate(Adapter, tmp_path)
    assert passed(capsys.readouterr().out) == [True]


def test_a_batch_at_a_kink_gets_a_second_one(tmp_path, capsys):
    gate(WrongOnce, tmp_path)
    assert passed(capsys.readouterr().out) == [False, True]


def test_other_work_fails_with_both_batches(tmp_path, capsys):
    with pytest.raises(ParityFailed, match=r"update off by .*; worst tensor conv2/weight"):
        gate(OneLayerWrong, tmp_path)
    assert passed(capsys.readouterr().out) == [False, False]


def test_a_wrongly_folded_batch_norm_fails_with_both_batches(tmp_path, capsys):
    settings = small_images("resnet20", stage="infer", options={"fold_batch_norm": True})
    job = Job(**settings)
    network, initial = start.of_job(job)
    gate(Adapter, tmp_path, job, (network, initial), observe.prediction)
    wrong = {name: 1.1 * array for name, array in initial.items()}
    with pytest.raises(ParityFailed, match=r"^logits off by"):
        gate(Adapter, tmp_path, job, (network, wrong), observe.prediction)
    assert passed(capsys.readouterr().out) == [True, False, False]


def test_a_tensor_is_named_only_where_one_is_wrong(tmp_path):
    with pytest.raises(ParityFailed, match=r"^loss off by \S+ \(allowed 1e-05\)$"):
        gate(WrongLoss, tmp_path)
