"""LiteRT, the runtime of TensorFlow Lite models on phones, on this machine's processor."""

from importlib import metadata
from pathlib import Path
from typing import Any, Dict

import numpy
from ai_edge_litert.interpreter import Interpreter

from worker import support
from worker.arrays import LabelledImages
from worker.job import Job
from worker.models.tflite.runtime import MODEL, OfTflite

TITLE = "LiteRT (this PC)"
FORMAT = "tfrecord"
COLOUR = "#2f8f5b"
STAGES = ("infer",)
PRECISIONS = {"cpu": ("float32", "float16", "int8-weights", "int8-dynamic", "int8-static")}
MISSING = {"bfloat16": "its kernels for CPUs have no bfloat16"}


class Adapter(OfTflite):
    """One interpreter of the model, which has a fixed number of images."""

    def __init__(self, job: Job) -> None:
        support.check(job, PRECISIONS, options={}, missing=MISSING)
        self.job = job

    def open(self, folder: Path) -> None:
        self.interpreter = Interpreter(str(folder / MODEL), num_threads=self.job.threads)
        self.interpreter.allocate_tensors()
        (source,) = self.interpreter.get_input_details()
        (target,) = self.interpreter.get_output_details()
        self.input, self.output = source["index"], target["index"]

    def infer(self, batch: LabelledImages) -> numpy.ndarray:
        self.interpreter.reset_all_variables()  # else an LSTM continues the previous call's texts
        self.interpreter.set_tensor(self.input, batch[0])
        self.interpreter.invoke()
        logits: numpy.ndarray = self.interpreter.get_tensor(self.output)
        return logits

    def describe(self) -> Dict[str, Any]:
        libraries = {"ai-edge-quantizer": metadata.version("ai-edge-quantizer")}
        return self.described(metadata.version("ai-edge-litert"), libraries)
