"""MXNet: a static symbol in a Gluon block, gluon.Trainer, data by ImageRecordIter."""

import mxnet
from mxnet import autograd, gluon, nd, sym
from mxnet.base import _LIB

from worker import dataset, devices, events, openblas, support
from worker.forward import forward
from worker.layers.mxnet import KINDS
from worker.network import TRAINABLE_ROLES
from worker.readers.mxnet import augmentation

TITLE = "MXNet"
FORMAT = "recordio"
COLOUR = "#1e8fc6"

DEVICES = {"cpu": mxnet.cpu, "cuda": mxnet.gpu}
PRECISIONS = ("float32",)


class Adapter:
    """One symbol of the neutral layers in two blocks, which give its logits and its loss."""

    def __init__(self, job):
        support.check(job, DEVICES, PRECISIONS, options={})
        if job["device"] != "cpu" and not mxnet.context.num_gpus():
            raise events.Unsupported("mxnet finds no GPU")
        self.job = job
        self.context = DEVICES[devices.kind(job)](0)
        self.iterators = {}
        mxnet.random.seed(job["seed"])
        self.threads = _LIB.omp_get_max_threads()
        # For this thread, which only copies; the engine's threads compute with all. Were there a
        # second team, OpenMP's barriers would sleep instead of spin: half the speed on two cores.
        _LIB.omp_set_num_threads(1)

    def build(self, network):
        self.parameters = parameters(network)
        self.parameters.initialize(mxnet.init.Zero(), self.context)
        images, labels = (sym.var(name, dtype="float32") for name in ("images", "labels"))
        logits = forward(network, KINDS, images, {w.name: sym.var(w.name) for w in network.weights})
        loss = -sym.mean(sym.pick(sym.log_softmax(logits), labels))
        self.logits = gluon.SymbolBlock(logits, images, self.parameters)
        self.loss = gluon.SymbolBlock(loss, [images, labels], self.parameters)
        for block in (self.logits, self.loss):
            block.hybridize(static_alloc=True, static_shape=True)
        self.counts = {
            weight.name: self.job["batch_size"] * layer.shape[1] * layer.shape[2]
            for layer in network.layers
            for weight in layer.weights
            if weight.role == "running_variance"
        }

    def load(self, weights):
        for name, parameter in self.parameters.items():
            parameter.set_data(nd.array(weights[name], ctx=self.context))
        self.unbiased = True
        job = self.job
        recipe = {"learning_rate": job["learning_rate"], "momentum": job["momentum"]}
        self.trainer = gluon.Trainer(self.parameters, "sgd", dict(recipe, wd=job["weight_decay"]))

    def weights(self):
        self._set_unbiased(True)
        return {name: parameter.data().asnumpy() for name, parameter in self.parameters.items()}

    def batch(self, images, labels):
        count = len(labels)
        return nd.array(images, ctx=self.context), nd.array(labels, ctx=self.context), count

    def batches(self, split):
        index = dataset.of_job(self.job)
        return dataset.stream(self._epoch, index, split, self.job["batch_size"])

    def train_step(self, batch):
        self._set_unbiased(False)
        with autograd.record():
            loss = self.loss(*batch[:2])
        loss.backward()
        self.trainer.step(1)
        return loss.as_np_ndarray()  # which float() takes

    def predict(self, batch):
        images, labels, count = batch
        self._set_unbiased(True)
        return self.logits(images)[:count].asnumpy(), labels[:count].asnumpy().astype("int64")

    def synchronise(self):
        nd.waitall()

    def describe(self):
        features = mxnet.runtime.Features().values()
        return {
            "framework": "mxnet",
            "version": mxnet.__version__,
            "threads": self.threads,
            "libraries": openblas.configurations(),
            "flags": {feature.name: feature.enabled for feature in features},
        }

    def _epoch(self, index, split, batch_size):
        if split not in self.iterators:
            self.iterators[split] = self._iterator(index, split)
        iterator = self.iterators[split]
        iterator.reset()
        for count in dataset.batch_sizes(index, split, batch_size):
            batch = iterator.next()  # whose arrays the iterator fills again: hence the copies
            images, labels = batch.data[0], batch.label[0]
            yield images.copyto(self.context), labels.copyto(self.context), count

    def _iterator(self, index, split):
        """One for all epochs of a split: to make it takes as long as many a batch."""
        means = dict(zip(("mean_r", "mean_g", "mean_b"), index["mean"]))
        return mxnet.io.ImageRecordIter(
            path_imgrec=index["splits"][split]["path"],
            data_shape=tuple(index["image_shape"]),
            batch_size=self.job["batch_size"],
            scale=index["scale"],
            preprocess_threads=self.job["threads"],
            round_batch=False,
            verbose=False,
            **means,
            **augmentation(index, split, self.job),
        )

    def _set_unbiased(self, unbiased):
        """Turn the running variances from MXNet's to the recipe's (unbiased), or back.

        MXNet tracks the population variance, the recipe n / (n - 1) times that. As tracking is
        linear, a running variance divided by that factor follows the recipe's exactly.
        """
        if self.unbiased != unbiased:
            self.unbiased = unbiased
            for name, n in self.counts.items():
                variance = self.parameters[name].data()
                variance *= n / (n - 1) if unbiased else (n - 1) / n


def parameters(network):
    """Gluon's parameters for the network's weights."""
    made = gluon.ParameterDict()
    for weight in network.weights:
        grad_req = "write" if weight.role in TRAINABLE_ROLES else "null"
        made.get(weight.name, shape=weight.shape, grad_req=grad_req)
    return made
