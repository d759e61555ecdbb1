"""MXNet by Module.fit, with MXNet's optimiser, metrics and Speedometer.

The module trains its own copies of the weights. Before prediction, they are copied to the blocks of
MXNet's adapter.
"""

import logging
import sys
from typing import Any, List

import mxnet
from mxnet import nd, sym

from worker.arrays import Predictions, Weights
from worker.frameworks.mxnet import adapter as gluon
from worker.frameworks.mxnet.optimiser import settings
from worker.networks.neutral.builder import Network
from worker.networks.neutral.update_rule import UpdateRule
from worker.own_loops.feed import Feed
from worker.own_loops.loop import OwnLoop

TITLE = "MXNet (Module.fit)"
FORMAT = "recordio"
ENVIRONMENT = "mxnet"
STAGES = ("train",)
DIALECT = "mxnet_speedometer"
OPTIONS = {"log_every": 10}


class Adapter(OwnLoop, gluon.Adapter):
    """The symbol of MXNet's adapter, trained by a module."""

    dialect = DIALECT
    loop_options = OPTIONS

    def build(self, network: Network, update_rule: UpdateRule) -> None:
        super().build(network, update_rule)
        logging.basicConfig(stream=sys.stdout, level=logging.INFO)
        output = sym.SoftmaxOutput(self.symbol, sym.var("labels"), name="softmax")
        size, shape = self.job.batch_size, network.input.shape
        self.data = [mxnet.io.DataDesc("images", (size, *shape))]
        self.labels = [mxnet.io.DataDesc("labels", (size,))]
        self.module = mxnet.mod.Module(output, ["images"], ["labels"], context=self.contexts)
        self.module.bind(self.data, self.labels)

    def load(self, weights: Weights) -> None:
        super().load(weights)
        values = {
            name: nd.array(array / self.statistics.factors.get(name, 1))
            for name, array in weights.items()
        }
        arguments = {w.name for w in self.network.trainable}
        trained = {name: values.pop(name) for name in arguments}
        self.module.init_params(None, trained, values, force_init=True)
        self.module.init_optimizer(None, self._optimiser(), force_init=True)
        self.has_trained = False

    def set_rate(self, rate: float) -> None:
        self.module._optimizer.set_learning_rate(rate)

    def fit(self, feed: Feed) -> List[Any]:
        losses: List[nd.NDArray] = []
        self.has_trained = True

        def record(step: Any) -> None:
            (probabilities,) = step.locals["self"].get_outputs()
            labels = step.locals["data_batch"].label[0]
            losses.append(-nd.log(nd.pick(probabilities, labels)).mean())
            if len(losses) == feed.steps:
                nd.waitall()  # the module copies statistics that a backward pass still writes

        self.module.fit(
            Batches(feed, self.data, self.labels),
            num_epoch=1,
            batch_end_callback=[
                record,
                mxnet.callback.Speedometer(self.job.batch_size, self.loop_settings["log_every"]),
            ],
        )
        return [loss.as_np_ndarray() for loss in losses]

    def weights(self) -> Weights:
        self._update_blocks()
        return super().weights()

    def predict(self, batch: gluon.Batch) -> Predictions:
        self._update_blocks()
        return super().predict(batch)

    def _update_blocks(self) -> None:
        """Copy the module's trained weights to the blocks."""
        if self.has_trained:
            arguments, statistics = self.module.get_params()
            for name, array in {**arguments, **statistics}.items():
                self.parameters[name].set_data(array)
            self.statistics.unbiased = self.has_trained = False

    def _optimiser(self) -> mxnet.optimizer.Optimizer:
        """MXNet's optimiser, with factors of rate and decay for each parameter."""
        names = self.module._exec_group.param_names
        optimiser = mxnet.optimizer.create(
            self.update_rule.optimiser,
            rescale_grad=1 / self.job.batch_size,
            param_idx2name=dict(enumerate(names)),
            **settings(self.update_rule),
        )
        groups = {w.name: self.update_rule.group(w) for w in self.network.weights}
        optimiser.set_lr_mult({name: groups[name][0] for name in names})
        optimiser.set_wd_mult({name: groups[name][1] for name in names})
        return optimiser


class Batches(mxnet.io.DataIter):
    """A feed as the data iterator that a module requires."""

    def __init__(
        self, feed: Feed, data: List[mxnet.io.DataDesc], labels: List[mxnet.io.DataDesc]
    ) -> None:
        super().__init__(data[0].shape[0])
        self.feed, self.provide_data, self.provide_label = feed, data, labels

    def next(self) -> mxnet.io.DataBatch:
        """The next batch."""
        images, labels, _ = next(self.feed)
        return mxnet.io.DataBatch(images, labels, pad=0)
