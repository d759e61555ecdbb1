"""TensorFlow by Keras's Model.fit, with Keras's training step, optimiser, loss and metrics.

The model computes the layers of TensorFlow's adapter; model and adapter share the variables.
"""

import os
import sys
from typing import Any, Dict, List

os.environ["KERAS_HOME"] = f"{sys.prefix}/keras"  # the user's own settings change no run

import keras
import tensorflow as tf

from worker import events
from worker.arrays import Weights
from worker.frameworks.tensorflow import adapter as tensorflow
from worker.frameworks.tensorflow.layers import EVALUATION, TRAINING
from worker.frameworks.tensorflow.precision import types_of_products
from worker.job import Job
from worker.networks.neutral import channels_last
from worker.networks.neutral.builder import TRAINABLE_ROLES, Network
from worker.networks.neutral.forward import forward
from worker.networks.neutral.update_rule import BETAS, UpdateRule
from worker.own_loops.feed import Feed
from worker.own_loops.loop import OwnLoop, check_reads_itself

TITLE = "TensorFlow (Keras fit)"
FORMAT = "tfrecord"
ENVIRONMENT = "tensorflow"
STAGES = ("train",)
DIALECT = "keras"
OPTIONS = {"verbose": 2}

CROSS_ENTROPY = "cross_entropy"


class Adapter(OwnLoop, tensorflow.Adapter):
    """TensorFlow's adapter, whose training is a Keras model's fit()."""

    dialect = DIALECT
    loop_options = OPTIONS

    def __init__(self, job: Job) -> None:
        super().__init__(job)
        check_reads_itself(job)
        if job.bias_rate != 1:
            raise events.Unsupported("Keras's optimisers have one rate for all variables")

    def build(self, network: Network, update_rule: UpdateRule) -> None:
        super().build(network, update_rule)
        self.model = Model(network, update_rule)
        self.values = self.model.values()
        self.model.compile(
            optimizer=optimiser(update_rule),
            loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
            metrics=[
                "accuracy",
                # Keras's own loss includes the penalty of weight decay; this metric doesn't.
                keras.metrics.SparseCategoricalCrossentropy(CROSS_ENTROPY, from_logits=True),
            ],
            jit_compile=self.options["jit_compile"],
        )
        self.model.optimizer.build(self.model.trainable_variables)

    def load(self, weights: Weights) -> None:
        super().load(weights)
        optimizer = self.model.optimizer
        for variable in optimizer.variables:
            variable.assign(keras.ops.zeros_like(variable))
        self.set_rate(self.optimiser.update_rule.learning_rate)

    def set_rate(self, rate: float) -> None:
        self.model.optimizer.learning_rate = rate

    def fit(self, feed: Feed) -> List[float]:
        watch = Watch(feed)
        self.model.fit(
            pipeline(feed),
            steps_per_epoch=feed.steps,
            verbose=self.loop_settings["verbose"],
            callbacks=[watch],
        )
        return watch.losses()

    def compute_types(self, batch: tensorflow.Batch) -> List[str]:
        return types_of_products(tf.function(self.model).get_concrete_function(batch[0]))


class Model(keras.Model):
    """The neutral layers with variables of Keras as weights; weight decay is an L2 penalty."""

    def __init__(self, network: Network, update_rule: UpdateRule) -> None:
        super().__init__()
        self.network = network
        shapes = channels_last.shapes(network)
        for weight in network.weights:
            is_trained = weight.role in TRAINABLE_ROLES
            decay = update_rule.decay(weight) if is_trained else 0
            self.add_weight(
                name=weight.name.replace("/", "_"),
                shape=shapes[weight.name],
                initializer="zeros",
                trainable=is_trained,
                regularizer=keras.regularizers.L2(decay / 2) if decay else None,
            )
        self.built = True

    def values(self) -> Dict[str, tf.Variable]:
        """TensorFlow's variables by the weights' names."""
        by_name = {variable.name: variable.value for variable in self.variables}
        return {w.name: by_name[w.name.replace("/", "_")] for w in self.network.weights}

    def call(self, images: tf.Tensor, training: bool = False) -> tf.Tensor:
        """The logits."""
        kinds = TRAINING if training else EVALUATION
        return forward(self.network, kinds, images, self.values())


class Watch(keras.callbacks.Callback):
    """A callback that starts the feed and records losses."""

    async_safe = True  # Keras then passes the loss asynchronously, as without a callback

    def __init__(self, feed: Feed) -> None:
        super().__init__()
        self.feed = feed
        self.means: Dict[int, float] = {}

    def on_train_batch_begin(self, batch: int, logs: Any = None) -> None:
        """Start the feed here, since Keras reads the feed's source directly."""
        self.feed.start()

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        """Record the cross entropy's mean over the steps so far, which Keras reports."""
        self.means[batch] = logs[CROSS_ENTROPY]

    def losses(self) -> List[float]:
        """The loss of each step, from the means over all steps up to it."""
        sums = [(step + 1) * mean for step, mean in sorted(self.means.items())]
        return [after - before for before, after in zip([0.0, *sums], sums)]


def optimiser(update_rule: UpdateRule) -> keras.optimizers.Optimizer:
    """Keras's optimiser; its velocity includes learning rates, as trainmark's update rule does."""
    if update_rule.optimiser == "adam":
        return keras.optimizers.Adam(update_rule.learning_rate, *BETAS, epsilon=update_rule.epsilon)
    return keras.optimizers.SGD(update_rule.learning_rate, momentum=update_rule.momentum)


def pipeline(feed: Feed) -> tf.data.Dataset:
    """A tf.data.Dataset of exactly a feed's batches: from a longer one, Keras would read ahead.

    If the feed's source is an iterator of tf.data, the data set continues where an earlier fit
    stopped. Any other source, of input mode synthetic, repeats one batch. Autotuning is off,
    because a fit would wait for seconds until autotuning ends.
    """
    source = feed.source
    if isinstance(source, tf.data.Iterator):
        batches = tf.data.Dataset.range(feed.steps).map(lambda _: source.get_next())
    else:
        batches = tf.data.Dataset.from_tensors(tuple(next(source))).repeat(feed.steps)
    options = tf.data.Options()
    options.autotune.enabled = False
    return batches.with_options(options)
