"""What every adapter must fulfil, in its framework's own Python.

The expected losses and weights come from the numpy adapter, which runs in the host's Python.
"""

import itertools

import adapters
import examples
import little_networks
import numpy as np
import pytest

from trainmark.analyse.compare.own_loops import own_log
from trainmark.data.read import chunks
from trainmark.runs import events
from worker import networks
from worker.input import pixels, shuffle
from worker.job import Job
from worker.networks.neutral.builder import VECTOR_KINDS, Network

JOB = examples.LENET
ON_TWO_THREADS = {**JOB, "threads": 2, "warmup_limit_seconds": 0.1}
"""It settles first, after which weights and learning rate must be the job's again."""
NOT_SQUARE = {
    **JOB,
    "dataset": "synthetic-3x12x16-7",
    "image_shape": [3, 12, 16],
    "classes": 7,
    "batch_size": 60,
}
DIVIDED = {**NOT_SQUARE, "pixels": {"mean": 128, "divisor": 32}}
PREPARED = {
    **NOT_SQUARE,
    "image_shape": [3, 8, 8],
    "pixels": {"standardise": "image"},
    "augment": ["crop", "mirror", "contrast"],
    "shuffle": True,
}
BEFORE = ["start", "environment", "built", "first_step", "parity", "network"]
TIMED = ["warmup", "window_start", "window_end", "evaluation", "end"]

PREPARING = sorted({*adapters.TRAINING} - {"caffe_train"})
"""The adapters that train on images which the host prepares."""

every_adapter = pytest.mark.parametrize("adapter", adapters.TRAINING)


@pytest.fixture(scope="session")
def expected_window(run_events, host_environment):
    """Losses and accuracy of the numpy adapter on the same images."""
    log = run_events("numpy", JOB, host_environment).events
    return events.last(log, "window_end")["losses"], events.last(log, "evaluation")


@every_adapter
def test_it_does_the_reference_work(run_events, adapter):
    log = run_events(adapter, ON_TWO_THREADS).events
    parity = events.last(log, "parity")
    network = networks.build(JOB["network"], JOB["image_shape"], JOB["classes"])
    assert parity["passed"]
    assert parity["error"] < 1e-2
    assert events.last(log, "network")["parameter_count"] == network.parameter_count


@every_adapter
def test_it_tells_all_events_in_order(run_events, adapter):
    log, rejected = run_events(adapter, ON_TWO_THREADS)
    between = "logged" if own_log(adapter) else "settled"
    assert [event["event"] for event in log] == [*BEFORE, between, *TIMED]
    assert rejected == 0
    described = events.last(log, "environment")
    assert described["framework"] == adapter
    assert described["threads"] == ON_TWO_THREADS["threads"]


@every_adapter
def test_it_learns_what_the_reference_learns(run_events, adapter, expected_window):
    losses, evaluation = expected_window
    log = run_events(adapter, ON_TWO_THREADS).events
    np.testing.assert_allclose(events.last(log, "window_end")["losses"], losses, rtol=1e-3)
    learnt = events.last(log, "evaluation")
    assert learnt["count"] == evaluation["count"]
    assert learnt["top1"] == pytest.approx(evaluation["top1"], abs=0.7)  # two images of 297


@pytest.fixture(scope="session")
def batches(epochs):
    """What an adapter makes of a job's stored images, and the data set's index."""

    def of_job(adapter, job):
        jobs = [JOB, NOT_SQUARE, DIVIDED, *([PREPARED] if adapter in PREPARING else [])]
        return epochs(adapter, jobs)[jobs.index(job)]

    return of_job


@every_adapter
@pytest.mark.parametrize("job", [JOB, NOT_SQUARE, DIVIDED], ids=["digits", "not square", "divided"])
@pytest.mark.parametrize("split", ["train", "test"])
def test_its_batches_are_the_images_normalised(batches, tmp_path, adapter, job, split):
    arrays, index = batches(adapter, job)
    source = tmp_path / job["dataset"] / "source"
    stream = chunks.read(job["dataset"], source, split)
    images, labels = map(np.concatenate, zip(*stream, strict=True))
    seen = np.arange(len(labels))
    if split == "train":  # full batches only, and the next epoch starts with the first one again
        seen = np.tile(seen[: len(labels) // job["batch_size"] * job["batch_size"]], 2)
    rule = pixels.constants(index, job["pixels"])
    mean = np.array(rule["mean"]).reshape(-1, 1, 1)
    expected = ((images[seen] - mean) * rule["scale"]).reshape(len(seen), -1)
    np.testing.assert_array_equal(arrays[f"labels/{split}"], labels[seen])
    np.testing.assert_allclose(arrays[f"pixels/{split}"], expected, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("adapter", PREPARING)
@pytest.mark.parametrize("split", ["train", "test"])
def test_its_batches_are_those_that_the_host_prepares(batches, tmp_path, adapter, split):
    """Shuffled, cropped, mirrored, with another contrast, equal in all; caffe_train refuses."""
    arrays, index = batches(adapter, PREPARED)
    size, source = PREPARED["batch_size"], tmp_path / PREPARED["dataset"] / "source"
    stream = chunks.read(PREPARED["dataset"], source, split)
    images, labels = map(np.concatenate, zip(*stream, strict=True))
    starts = range(0, len(labels), size)
    stored = [(images[start : start + size], labels[start : start + size]) for start in starts]
    if split == "train":  # two epochs
        count = len(labels) // size
        shuffled = shuffle.shuffled(iter(stored), count, Job(**PREPARED))
        stored = list(itertools.islice(shuffled, 2 * count))
    ready = list(pixels.prepared(stored, index, Job(**PREPARED), split))
    expected = np.concatenate([batch.reshape(len(batch), -1) for batch, _ in ready])
    np.testing.assert_allclose(arrays[f"pixels/{split}"], expected, rtol=1e-4, atol=1e-5)
    expected_labels = np.concatenate([each for _, each in stored])
    np.testing.assert_array_equal(arrays[f"labels/{split}"], expected_labels)


@pytest.fixture(scope="session")
def probe(probed, selected):
    """What is found out of an adapter, and of the little networks that the selected tests need."""

    def arrays_of(adapter):
        function = test_it_does_the_reference_work_on_each_last_layer_and_on_groups.__name__
        needed = selected(function, "behind") if adapter == "numpy" else None
        return probed(adapter, JOB, needed or selected(function, "behind", adapter=adapter))

    return arrays_of


@every_adapter
def test_it_gives_back_the_weights_it_was_given(probe, adapter):
    arrays = probe(adapter)
    weights = [
        name.partition("/") for name in arrays.files if name.startswith(("loaded", "returned"))
    ]
    assert len(weights) == 2 * 10
    for name in {name for _, _, name in weights}:
        assert arrays[f"returned/{name}"].dtype == np.float32
        np.testing.assert_array_equal(arrays[f"returned/{name}"], arrays[f"loaded/{name}"])


@every_adapter
def test_it_decays_every_trainable_weight(probe, adapter):
    arrays, reference = probe(adapter), probe("numpy")
    names = [name for name in reference.files if name.startswith("decayed/")]
    assert len(names) == 10
    for name in names:
        np.testing.assert_allclose(arrays[name], reference[name], rtol=1e-3, atol=1e-4)


@every_adapter
@pytest.mark.parametrize("update_rule", ["inverse", "steps", "every", "adam"])
def test_it_trains_by_each_update_rule(probe, adapter, update_rule):
    """Adam moves a weight of hardly any gradient up or down by chance: so no single one counts."""
    arrays, reference = probe(adapter), probe("numpy")
    names = [name for name in reference.files if name.startswith(f"trained/{update_rule}/")]
    assert len(names) == 4
    for name in names:
        difference = np.linalg.norm(arrays[name] - reference[name])
        assert difference <= 1e-3 * np.linalg.norm(reference[name]), name


LITTLE = [(adapter, behind) for adapter in adapters.TRAINING for behind in little_networks.ALL]
OTHERS = tuple(behind.__name__ for behind in little_networks.OTHERS)
is_chosen = adapters.every(5, adapters.TRAINING, [*little_networks.ALL], OTHERS)
"""`make test` tries each layer inside a network in each adapter, and as the last one in a fifth."""


@pytest.mark.parametrize(("adapter", "behind"), adapters.params(LITTLE, is_chosen))
def test_it_does_the_reference_work_on_each_last_layer_and_on_groups(probe, adapter, behind):
    arrays, reference = probe(adapter), probe("numpy")
    if f"lacked/{behind}" in arrays:
        assert behind in little_networks.LACKED
        pytest.skip(f"{adapter}: {arrays[f'lacked/{behind}']}")
    names = [name for name in reference.files if name.split("/")[1:2] == [behind]]
    assert len(names) >= 2 + 4
    for name in names:
        largest = abs(reference[name]).max()
        assert largest > 1e-4
        assert arrays[name].shape == reference[name].shape
        np.testing.assert_allclose(arrays[name], reference[name], atol=1e-3 * largest)


def test_every_kind_that_may_be_the_last_layer_is_tried_as_it():
    assert list(little_networks.ENDS) == list(VECTOR_KINDS)
    for kind, behind in little_networks.ENDS.items():
        net = Network(JOB["image_shape"], JOB["classes"])
        little_networks.define(net, behind)
        assert net.layers[-1].kind == kind


@every_adapter
def test_its_dropout_is_new_in_each_step_and_off_in_evaluation(probe, adapter):
    arrays = probe(adapter)
    np.testing.assert_allclose(arrays["dropped/evaluated"], 0, atol=1e-3)
    kept = []
    for step in ("first", "second"):
        factors = arrays[f"dropped/{step}"]
        kept.append(factors > 0.5)
        np.testing.assert_allclose(factors, kept[-1] / 0.75, atol=1e-2)
        assert kept[-1].mean() == pytest.approx(0.75, abs=0.07)
    assert (kept[0] != kept[1]).any()


@every_adapter
def test_it_refuses_what_it_does_not_know(probe, adapter):
    assert probe(adapter)["refusals"] == 3


@pytest.mark.parametrize("adapter", sorted({*adapters.TRAINING} - {"numpy"}))
def test_it_trains_on_no_fewer_images_than_the_batch_has(probe, adapter):
    """The reference itself, in NumPy, computes the distinct images of the fixed batch alone."""
    assert probe(adapter)["short_batch_refused"]
