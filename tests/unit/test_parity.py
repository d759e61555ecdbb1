"""Parity: equal adapters pass, and each way of being unequal is caught and named."""

import numpy
import pytest
from examples import LENET

from trainmark.runs import events
from worker import networks
from worker.events import ParityFailed
from worker.frameworks.numpy.adapter import Adapter
from worker.input import fixed_batch
from worker.job import Job
from worker.networks.neutral import weights
from worker.networks.neutral.builder import Network
from worker.proof import observe
from worker.proof.check import check
from worker.proof.compare import compare
from worker.proof.observe import Subject
from worker.proof.reference import compute
from worker.proof.tolerances import FLOAT32

JOB = Job(**LENET)._replace(batch_size=16, threads=1)
NETWORK = networks.build("lenet", (1, 28, 28), 10)
INITIAL = weights.initial(NETWORK, JOB.seed)


def called(call):
    return call()


def observed(adapter_class, network=NETWORK, initial=INITIAL, **changes):
    adapter = adapter_class(JOB._replace(**changes))
    adapter.build(network)
    adapter.load(initial)
    batch = adapter.batch(*fixed_batch.whole(JOB))
    return observe.training(Subject(adapter, network, initial, batch, JOB), called)


@pytest.fixture(scope="module")
def reference():
    return observed(Adapter, precision="float64")


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
        is_trained = any(velocity.any() for velocity in self.velocity.values())
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
    initial = weights.initial(network, JOB.seed)
    reference = observed(Adapter, network, initial, precision="float64")
    assert compare(reference, observed(Adapter, network, initial), initial)["passed"]
    forgotten = observed(ForgetsRunningStatistics, network, initial)
    result = compare(reference, forgotten, initial)
    wrong = [name for name, limit in FLOAT32.items() if result.get(name, 0) > limit]
    assert wrong == ["logits_after"]


def test_float32_agrees_with_float64(reference):
    result = compare(reference, observed(Adapter), INITIAL)
    assert result["passed"]
    assert result["error"] < 1e-4


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
    result = compare(reference, observed(adapter, **changes), INITIAL)
    assert not result["passed"]
    assert result[quantity] > FLOAT32[quantity]


def test_the_wrong_layer_is_named(reference):
    result = compare(reference, observed(OneLayerWrong), INITIAL)
    assert result["worst_layer"] == "conv2/weight"


def test_a_result_that_is_not_a_number_fails(reference):
    broken = {**observed(Adapter), "loss": numpy.array(numpy.nan)}
    assert not compare(reference, broken, INITIAL)["passed"]


def test_repeating_the_distinct_images_changes_no_gradient(reference):
    few = JOB._replace(batch_size=8)
    adapter = Adapter(few._replace(precision="float64"))
    adapter.build(NETWORK)
    adapter.load(INITIAL)
    batch = adapter.batch(*fixed_batch.whole(few))
    alone = observe.training(Subject(adapter, NETWORK, INITIAL, batch, few), called)
    numpy.testing.assert_allclose(alone["gradient_norm"], reference["gradient_norm"], rtol=1e-9)


@pytest.mark.parametrize(("batch_size", "distinct"), [(64, 8), (100, 5), (7, 7), (13, 1)])
def test_distinct_images_divide_the_batch(batch_size, distinct):
    assert fixed_batch.distinct_images(batch_size) == distinct


class WrongOnce(Adapter):
    """Falls on the other side of a kink with the first batch, as float32 may."""

    def train_step(self, batch):
        is_first = not hasattr(self, "seen")
        self.seen = True
        loss = super().train_step(batch)
        if is_first:
            self.values["conv1/weight"] *= 1.01
        return loss


def gate(adapter_class, folder, **changes):
    """Have a run's gate check an adapter beside the stored reference of its job."""
    job = JOB._replace(reference=str(folder / "reference.npz"), **changes)
    numpy.savez(job.reference, **compute(JOB, observe.training))
    adapter = adapter_class(job)
    adapter.build(NETWORK)
    adapter.load(INITIAL)
    batch = adapter.batch(*fixed_batch.whole(JOB))
    check(Subject(adapter, NETWORK, INITIAL, batch, job), observe.training)


def passed(printed):
    told = events.parse(printed)
    return [event["passed"] for event in told if event["event"] == "parity"]


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


def test_a_tensor_is_named_only_where_one_is_wrong(tmp_path):
    with pytest.raises(ParityFailed, match=r"^loss off by \S+ \(allowed 1e-03\)$"):
        gate(WrongLoss, tmp_path)
