"""CNTK: a graph trained by Trainer and momentum_sgd, data by ImageDeserializer."""

from functools import partial

import cntk
import numpy

from worker import dataset, devices, events, mkl, support
from worker.forward import forward
from worker.layers.cntk import KINDS
from worker.network import TRAINABLE_ROLES
from worker.readers.cntk import Reader

TITLE = "CNTK"
FORMAT = "cntk"
COLOUR = "#008575"

DEVICES = {"cpu": cntk.cpu, "cuda": partial(cntk.gpu, 0)}
PRECISIONS = ("float32",)


class Adapter:
    """Parameters, and constants for the running statistics; a graph from images to loss."""

    def __init__(self, job):
        support.check(job, DEVICES, PRECISIONS, options={})
        if job["device"] != "cpu" and len(cntk.device.all_devices()) == 1:
            raise events.Unsupported("cntk finds no GPU")
        self.job = job
        self.mkl_settings = mkl.use_avx2()
        if not cntk.try_set_default_device(DEVICES[devices.kind(job)]()):
            raise RuntimeError("another process holds the GPU, and CNTK shares none")
        cntk.cntk_py.set_max_num_cputhreads(job["threads"])
        cntk.cntk_py.set_fixed_random_seed(job["seed"])  # each dropout draws its own from it

    def build(self, network):
        self.values = {weight.name: variable(weight) for weight in network.weights}
        batch_size = self.job["batch_size"]
        kinds = dict(KINDS, batch_norm=partial(KINDS["batch_norm"], batch_size=batch_size))
        self.images = cntk.input_variable(network.input.shape)
        self.logits = forward(network, kinds, self.images, self.values)
        self.labels = cntk.input_variable(self.logits.shape)
        loss = cntk.cross_entropy_with_softmax(self.logits, self.labels)
        self.learner = momentum_sgd(self.logits.parameters, self.job)
        self.trainer = cntk.Trainer(self.logits, loss, self.learner)

    def load(self, weights):
        for name, value in self.values.items():
            value.value = weights[name]
        self.learner.reset_smoothed_gradients()

    def weights(self):
        return {name: value.value for name, value in self.values.items()}

    def batch(self, images, labels):
        one_hot = numpy.eye(self.job["classes"], dtype=numpy.float32)[labels]
        return cntk.Value(images), cntk.Value(one_hot)

    def batches(self, split):
        index = dataset.of_job(self.job)
        reader = Reader(index, split)
        return dataset.stream(reader.epoch, index, split, self.job["batch_size"])

    def train_step(self, batch):
        images, labels = batch
        self.trainer.train_minibatch({self.images: images, self.labels: labels})
        return self.trainer.previous_minibatch_loss_average

    def predict(self, batch):
        images, labels = batch
        return self.logits.eval({self.images: images}), labels.asarray().argmax(axis=1)

    def synchronise(self):
        self.learner.parameters[0].asarray()  # a copy to the host, which waits for the update

    def describe(self):
        return {
            "framework": "cntk",
            "version": cntk.__version__,
            "threads": cntk.cntk_py.get_max_num_cputhreads(),
            "libraries": {"MKL": mkl.version("libmklml_intel.so")},
            "flags": {
                "deterministic": cntk.cntk_py.should_force_deterministic_algorithms(),
                **self.mkl_settings,
            },
            "devices": [str(cntk.use_default_device())],
            "device_batch_size": self.job["batch_size"],
        }


def variable(weight):
    """A parameter, or a constant for what is no learner's to change."""
    zeros = numpy.zeros(weight.shape, numpy.float32)
    is_trainable = weight.role in TRAINABLE_ROLES
    return cntk.Parameter(init=zeros) if is_trainable else cntk.Constant(zeros)


def momentum_sgd(parameters, job):
    """The recipe's update, of the mean gradient: rates are taken as they are, not per sample."""
    as_given = dict(minibatch_size=cntk.learners.IGNORE)
    return cntk.momentum_sgd(
        parameters,
        cntk.learning_parameter_schedule(job["learning_rate"], **as_given),
        cntk.momentum_schedule(job["momentum"], **as_given),
        unit_gain=False,
        l2_regularization_weight=job["weight_decay"],
        **as_given,
    )
