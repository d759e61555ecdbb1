"""Precisions in TensorFlow: variables are float32, layers cast their inputs, like Keras's policies.

In prediction the variables themselves may be cast, once.
"""

from functools import partial
from typing import Any, Dict, List

import tensorflow as tf

from worker import networks, precisions
from worker.job import Job
from worker.networks.neutral.builder import Network
from worker.networks.neutral.forward import Kinds, narrow

PRODUCTS = ("Conv2D", "DepthwiseConv2dNative", "MatMul", "BatchMatMulV2", "BlockLSTM")


class Precision:
    """Casts and loss scaling for the job's precision; `images` is the type of input images."""

    def __init__(self, job: Job, options: Dict[str, Any]) -> None:
        self.type = job.precision if job.precision in precisions.HALF else "float32"
        is_cast = job.stage in precisions.PREDICTING and options["inference_weights"] == "cast"
        self.stored = tf.as_dtype(self.type if is_cast else "float32")
        reads_numbers = networks.reads_text(job.network)  # a narrow type lacks some of them
        self.images = tf.float32 if reads_numbers else self.stored
        self.loss_scale = precisions.loss_scale(job.precision)

    def kinds(self, kinds: Kinds) -> Kinds:
        """The layers in the job's type."""
        if self.type == "float32":
            return kinds
        return narrow(kinds, partial(tf.cast, dtype=self.type))

    def gradients(
        self, tape: tf.GradientTape, loss: tf.Tensor, values: List[tf.Variable]
    ) -> List[tf.Tensor]:
        """The gradients of the loss, which is scaled in between for narrow types."""
        if self.loss_scale == 1:
            gradients: List[tf.Tensor] = tape.gradient(loss, values)
            return gradients
        scaled = tape.gradient(loss, values, output_gradients=tf.constant(self.loss_scale))
        # an embedding's gradient is indexed rows, until it is converted
        return [tf.convert_to_tensor(gradient) / self.loss_scale for gradient in scaled]

    def of_weights(self, network: Network) -> Dict[str, tf.DType]:
        """The type in which each weight is stored."""
        return {
            weight.name: self.stored if weight.role in precisions.CAST_ROLES else tf.float32
            for weight in network.weights
        }


def types_of_products(function: Any) -> List[str]:
    """The types of all products in a concrete function's graph and in its callees, sorted."""
    graph = function.graph.as_graph_def()
    nodes = [graph.node, *(called.node_def for called in graph.library.function)]
    numbers = {node.attr["T"].type for part in nodes for node in part if node.op in PRODUCTS}
    return sorted(tf.as_dtype(number).name for number in numbers)
