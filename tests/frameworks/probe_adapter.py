"""What an adapter keeps, hands out and refuses, seen in its framework's own Python.

usage: python -I probe_adapter.py SCRIPTS JOB OUTPUT LITTLE...

Writes an .npz of loaded/<weight> and returned/<weight>, of decayed/<weight> (after a step), of
dropped/<step>, of refusals, of short_batch_refused, and of what a step makes of each named one of
tests/little_networks.py: predicted/<network>/<before or after>, moved/<network>/<weight>, and of
what the steps of UPDATE_RULES make: trained/<update_rule>/<weight>.
"""

import sys
from pathlib import Path

import numpy

scripts, job_path, output, *little = sys.argv[1:]
sys.path += [scripts, str(Path(__file__).parents[1])]
import little_networks  # noqa: E402

from worker import events, frameworks  # noqa: E402
from worker.input import fixed_batch  # noqa: E402
from worker.job import read  # noqa: E402
from worker.networks.neutral import update_rule  # noqa: E402
from worker.networks.neutral.builder import Network  # noqa: E402
from worker.networks.neutral.weights import initial  # noqa: E402

RATE = 0.25
STEPS = 6
# Of a rate that changes at each step, of one that changes once, and of Adam's.
UPDATE_RULES = {
    "inverse": {
        "schedule": {"inverse": {"gamma": 0.5, "power": 0.75}},
        "bias_rate": 2.0,
        "weight_decay": {"conv/weight": 0.1, "dense/bias": 0.2},
    },
    "steps": {"schedule": {"steps": {"at": [2, 5], "factor": 0.1}}, "bias_rate": 0.5},
    "every": {"schedule": {"steps": {"every": 4, "factor": 0.5}}, "momentum": 0.0},
    "adam": {
        "optimiser": "adam",
        "learning_rate": 1e-3,
        "momentum": 0.0,
        "bias_rate": 2.0,
        "weight_decay": {"dense/weight": 0.01},
    },
}
UNKNOWN = ({"options": {"bogus": True}}, {"device": "cuda:99"}, {"precision": "float1"})


def small_network(job):
    """Layers of each kind but dropout, and one with weights behind each that has none."""
    net = Network(job.image_shape, job.classes)
    x = net.batch_norm("norm", net.conv("conv", net.input, 4, kernel=3))
    x = net.concat("concat", x, net.relu6("relu6", net.add("add", x, x)))
    x = net.relu("relu", x)
    x = net.lrn("lrn", x, alpha=0.5)
    x = net.conv("grouped", x, 4, kernel=3, padding=1, groups=2)
    x = net.max_pool("pool", x, 2, stride=2, partial=True)
    x = net.average_pool("average", x, 2, stride=2)
    net.dense("dense", x, job.classes)
    return net


def random_weights(network):
    """Arrays of the weights' shapes, with no two alike."""
    random = numpy.random.RandomState(1)
    return {w.name: random.rand(*w.shape).astype(numpy.float32) for w in network.weights}


def built(adapter_class, job, network, weights):
    """An adapter that holds these weights."""
    adapter = adapter_class(job)
    adapter.build(network, update_rule.of_job(job))
    adapter.load(weights)
    return adapter


def round_trip(adapter_class, job):
    """The weights of a small network as loaded into the adapter, and as it gives them back."""
    network = small_network(job)
    start_weights = random_weights(network)
    returned = built(adapter_class, job, network, start_weights).weights()
    for prefix, weights in (("loaded/", start_weights), ("returned/", returned)):
        for name, array in weights.items():
            yield prefix + name, array


def decayed(adapter_class, job):
    """Weights that are nowhere 0, after a step with a large weight decay."""
    network = small_network(job)
    decaying = job._replace(learning_rate=0.1, weight_decay=0.5)
    adapter = built(adapter_class, decaying, network, random_weights(network))
    adapter.train_step(adapter.batch(*fixed_batch.whole(job)))
    for name, array in adapter.weights().items():
        yield "decayed/" + name, array


def dropped(adapter_class, job):
    """The factors by which dropout multiplied one image's values, in two training steps.

    Behind the dropout stands one dense layer, whose weights move by the image's values times those
    factors times what its biases move by.
    """
    network = Network(job.image_shape, job.classes)
    network.dense("dense", network.dropout("dropout", network.input, RATE), job.classes)
    changed_job = job._replace(batch_size=1, learning_rate=1e-3, momentum=0.0, weight_decay=0.0)
    weights = {name: array / 100 for name, array in random_weights(network).items()}
    adapter = built(adapter_class, changed_job, network, weights)
    images, labels = fixed_batch.distinct(changed_job)
    batch = adapter.batch(images, labels)
    logits = images.reshape(1, -1) @ weights["dense/weight"].T + weights["dense/bias"]
    yield "dropped/evaluated", adapter.predict(batch)[0] - logits
    for step in ("first", "second"):
        adapter.train_step(batch)
        moved = adapter.weights()
        moves = {name: moved[name] - weights[name] for name in weights}
        output = numpy.abs(moves["dense/bias"]).argmax()
        by_bias = moves["dense/weight"][output] / moves["dense/bias"][output]
        yield "dropped/" + step, by_bias / images.ravel()
        weights = moved


def stepped(adapter_class, job):
    """What the little networks predict, and how a step moves their weights."""
    of_images = job._replace(batch_size=8, learning_rate=0.1, momentum=0.0, weight_decay=0.0)
    of_bytes = of_images._replace(network="text_lstm", image_shape=[1, 2, 4])
    for name in little:
        behind = little_networks.ALL[name]
        changed_job = of_bytes if behind in little_networks.TEXTS else of_images
        network = Network(changed_job.image_shape, changed_job.classes)
        little_networks.define(network, behind)
        start_weights = initial(network, job.seed)
        try:
            adapter = built(adapter_class, changed_job, network, start_weights)
        except events.Unsupported as error:
            yield f"lacked/{name}", str(error)
            continue
        batch = adapter.batch(*fixed_batch.whole(changed_job))
        yield f"predicted/{name}/before", adapter.predict(batch)[0]
        adapter.train_step(batch)
        for weight, array in adapter.weights().items():
            yield f"moved/{name}/{weight}", array - start_weights[weight]
        yield f"predicted/{name}/after", adapter.predict(batch)[0]


def update_rules(adapter_class, job):
    """How far some steps by each update rule move the weights, on the images of the fixed batch."""
    for name, settings in UPDATE_RULES.items():
        changed_job = job._replace(**dict({"batch_size": 8, "learning_rate": 0.05}, **settings))
        network = Network(changed_job.image_shape, changed_job.classes)
        x = network.relu("relu", network.conv("conv", network.input, 4, kernel=3))
        network.dense("dense", x, changed_job.classes)
        start_weights = initial(network, changed_job.seed)
        adapter = built(adapter_class, changed_job, network, start_weights)
        batch = adapter.batch(*fixed_batch.whole(changed_job))
        for step in range(STEPS):
            adapter.set_rate(update_rule.of_job(changed_job).rate(step))
            adapter.train_step(batch)
        for weight, array in adapter.weights().items():
            yield f"trained/{name}/{weight}", array - start_weights[weight]


def refusals(adapter_class, job):
    """How many of the unknown wishes are refused."""
    count = 0
    for wish in UNKNOWN:
        try:
            frameworks.find(job._replace(**wish))(job._replace(**wish))
        except events.Unsupported:
            count += 1
    yield "refusals", count


def short_batch(adapter_class, job):
    """Whether a training step refuses a batch of one image, where the job asks for more."""
    network = small_network(job)
    adapter = built(adapter_class, job, network, random_weights(network))
    images, labels = fixed_batch.distinct(job)
    try:
        adapter.train_step(adapter.batch(images[:1], labels[:1]))
    except AssertionError:
        yield "short_batch_refused", True
    else:
        yield "short_batch_refused", False


PROBES = (round_trip, decayed, dropped, stepped, update_rules, refusals, short_batch)


def main(job):
    """Probe the job's adapter."""
    adapter_class = frameworks.find(job)
    arrays = {}
    for probe in PROBES:
        arrays.update(probe(adapter_class, job))
    numpy.savez(output, **arrays)


if __name__ == "__main__":
    main(read(job_path))
