"""LiteRT on models of TensorFlow's converter, to compare with trainmark's model files."""

import os
from typing import Any, Dict, Iterator, List

# Read while TensorFlow is imported.
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import numpy
import tensorflow as tf
from tensorflow.lite.python.convert_phase import ConverterError

from worker import support
from worker.arrays import Weights
from worker.events import Unsupported
from worker.frameworks.litert import adapter
from worker.frameworks.tensorflow.layers import EVALUATION
from worker.job import Job
from worker.models.runtime import Files
from worker.models.tflite.runtime import MODEL
from worker.networks.neutral import channels_last
from worker.networks.neutral.builder import Network
from worker.networks.neutral.forward import forward

TITLE = "LiteRT, by TensorFlow (this PC)"
FORMAT = "tfrecord"
COLOUR = "#c9a227"
STAGES = ("infer",)
SHARES = ("litert", "tensorflow")
PRECISIONS = {"cpu": ("float32", "float16", "int8-dynamic", "int8-static")}
MISSING = {
    "bfloat16": "its kernels for CPUs have no bfloat16",
    "int8-weights": "the converter's weights of 8 bits are for products of 8 bits",
}


class Adapter(adapter.Adapter):
    """LiteRT's adapter with TensorFlow's converter, which makes the forms, too."""

    def __init__(self, job: Job) -> None:
        support.check(job, PRECISIONS, options={}, missing=MISSING)
        super().__init__(job)

    def export(self, network: Network, weights: Weights) -> Files:
        arrays = channels_last.from_neutral(network, weights)
        values = {name: tf.constant(array) for name, array in arrays.items()}
        channels, height, width = self.job.image_shape
        images = tf.TensorSpec((self.job.batch_size, height, width, channels))

        @tf.function(input_signature=[images], autograph=False)
        def predict(images: tf.Tensor) -> tf.Tensor:
            return forward(network, EVALUATION, images, dict(values))

        converter = tf.lite.TFLiteConverter.from_concrete_functions(
            [predict.get_concrete_function()]
        )
        if self.job.precision != "float32":
            converter.optimizations = [tf.lite.Optimize.DEFAULT]  # alone: int8-dynamic
        if self.job.precision == "float16":
            converter.target_spec.supported_types = [tf.float16]
        if self.job.precision == "int8-static":
            converter.representative_dataset = self._samples
        try:
            return {MODEL: converter.convert()}
        except ConverterError as error:  # TensorFlow Lite lacks an operator
            reason = str(error).rpartition("error: ")[2].splitlines()[0]
            raise Unsupported(f"TensorFlow's converter refuses the network: {reason}") from error

    def describe(self) -> Dict[str, Any]:
        described = super().describe()
        return dict(described, libraries=dict(described["libraries"], tensorflow=tf.__version__))

    def _samples(self) -> Iterator[List[numpy.ndarray]]:
        """The batches for calibration in the converter's form: the inputs of one call each."""
        for images in self.calibration:
            yield [images.transpose(0, 2, 3, 1)]
