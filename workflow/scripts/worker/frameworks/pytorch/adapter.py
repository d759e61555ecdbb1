"""PyTorch: eager by default; what its experts use for speed are options."""

import os
import re
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any, Dict, Iterator, List, Optional, Tuple

# With a cache on the disk, later runs would compile faster. Older releases have no such variable.
os.environ["TORCHINDUCTOR_FORCE_DISABLE_CACHES"] = "1"

import numpy
import torch
from torch.nn.functional import cross_entropy

from worker import adapter, events, precisions, support
from worker.arrays import LabelledImages, Predictions, Weights
from worker.frameworks.pytorch import memory
from worker.frameworks.pytorch.average import Average
from worker.frameworks.pytorch.generation import Generator
from worker.frameworks.pytorch.layers import graph_module, tensors
from worker.frameworks.pytorch.optimiser import IS_FUSED, Optimiser
from worker.frameworks.pytorch.precision import Precision, Types, type_name
from worker.frameworks.pytorch.releases import (
    RELEASE,
    build_configuration,
    has_onednn,
    inference_mode,
    to_layout,
)
from worker.input import dataset, readers
from worker.input.prefetch import prefetch
from worker.input.readers import lmdb
from worker.job import Job
from worker.networks.neutral.builder import Network
from worker.networks.neutral.update_rule import UpdateRule

TITLE = "PyTorch"
FORMAT = "lmdb"
COLOUR = "#bd1f01"
SEVERAL = ("cpu", "cuda", "rocm")
NODES = ("cpu", "cuda", "rocm")
RANKS = True

PRECISIONS = {
    "cpu": ("float32", "bfloat16", "float16"),
    "cuda": ("float32", "tf32", "bfloat16", "float16"),
    "rocm": ("float32", "bfloat16", "float16"),
}
OPTIONS = {
    "channels_last": False,
    "compile": False,
    "autotune": False,
    "freeze": False,
    "keep_memory": False,
    "inference_weights": "cast",
    "weight_average": 0.0,
}
LIBRARIES = r"(Math Kernel Library|MKL-DNN|CPU capability usage)(?: Version|:)? v?(\S+)"


Batch = Tuple[torch.Tensor, torch.Tensor]
"""Images (n, C, H, W) and labels int64 (n, ...) on the device."""


class Adapter(adapter.Adapter):
    """A module made of the neutral layers, on one device, trained by torch.optim."""

    def __init__(self, job: Job, rank: int = 0) -> None:
        self.options = check(job)
        kind, count = job.device_kind, job.device_count
        self.job, self.part = job, (rank, count)
        number = rank % job.node_device_count  # the device's number on its node
        self.device = torch.device("cpu") if kind == "cpu" else torch.device("cuda", number)
        self.layout = to_layout(self.options["channels_last"])
        torch.set_num_threads(job.device_threads)
        torch.manual_seed(job.seed + rank)
        if self.options["keep_memory"]:
            memory.keep_freed()
        torch.backends.cudnn.benchmark = True
        self.precision = Precision(job, self.options)

    def build(self, network: Network, update_rule: UpdateRule) -> None:
        self.network, self.update_rule = network, update_rule
        module = self.precision.cast(graph_module(network))
        self.module = module.to(self.device, **self.layout)
        self.forward = self.joined(self.module)
        if self.options["compile"]:
            self.compiler_cache = TemporaryDirectory()
            os.environ["TORCHINDUCTOR_CACHE_DIR"] = self.compiler_cache.name
            self.forward = torch.compile(self.forward, options=self._compiler_options())
        self.tensors = tensors(network, self.module)
        if self.job.stage == "generate":
            self.generator = Generator(self.job, network, self.module)

    def joined(self, module: torch.nn.Module) -> torch.nn.Module:
        """The module that trains; a subclass for several devices wraps it to average gradients."""
        return module

    @torch.no_grad()
    def load(self, weights: Weights) -> None:
        for name, tensor in self.tensors.items():
            tensor.copy_(torch.from_numpy(weights[name]))
        self.optimiser = Optimiser(self.network, self.update_rule, self.tensors)
        decay = self.options["weight_average"]
        self.average = Average(self.network, self.module, decay) if decay else None

    def set_rate(self, rate: float) -> None:
        self.optimiser.set_rate(rate)

    def weights(self) -> Weights:
        return arrays(self.tensors)

    def averaged_weights(self) -> Optional[Weights]:
        return arrays({**self.tensors, **self.average.tensors()}) if self.average else None

    def weight_bytes(self, weights: Weights) -> Dict[str, int]:
        tensors = self.tensors.values()
        return adapter.bytes_by_type(
            (type_name(each.dtype), each.element_size() * each.numel()) for each in tensors
        )

    def batch(self, images: numpy.ndarray, labels: numpy.ndarray) -> Batch:
        pixels = torch.from_numpy(images).to(self.precision.images)
        return self._moved(pixels, torch.from_numpy(labels))

    def batches(self, split: str) -> Iterator[Batch]:
        index = dataset.of_job(self.job)
        mean = torch.tensor(index["mean"], device=self.device).view(-1, 1, 1)
        for batch in prefetch(map(self._ready, self.stored_batches(split))):
            pixels, labels = self._moved(*batch)
            normalised = pixels.float().sub_(mean).mul_(index["scale"])
            yield normalised.to(self.precision.images), labels

    def stored_batches(self, split: str) -> Iterator[LabelledImages]:
        index, (rank, _) = dataset.of_job(self.job), self.part
        job = self.job._replace(seed=self.job.seed + rank, threads=self.job.device_threads)
        decoder = image_decoder(job)
        decode = decoder.read if decoder else None
        read = readers.choose(lmdb, index, job, decode, part=self.part)
        return dataset.stream(read, index, split, self.job.batch_size)

    def train_step(self, batch: Batch) -> torch.Tensor:
        loss = self.gradients(batch)
        self.optimiser.step()
        if self.average:
            self.average.update()
        return loss

    def gradients(self, batch: Batch) -> torch.Tensor:
        images, labels = batch
        assert len(labels) == self.job.device_batch_size
        self._set_training(True)
        with self.precision.forward():
            logits = self.forward(images)
        loss = cross_entropy(logits.float().flatten(0, -2), labels.flatten())
        self.optimiser.zero_grad()
        self.precision.backward(loss, self.module)
        return loss.detach()

    def gradient_arrays(self) -> Weights:
        return arrays({name: t.grad for name, t in self.tensors.items() if t.grad is not None})

    def predict(self, batch: Batch) -> Predictions:
        return self.fetch(self.infer(batch)), batch[1].cpu().numpy()

    @inference_mode()
    def infer(self, batch: Batch) -> torch.Tensor:
        self._set_training(False)
        with self.precision.forward():
            return self.forward(batch[0])

    def fetch(self, logits: torch.Tensor) -> numpy.ndarray:
        return host(logits)

    def prefill(self, batch: Batch) -> torch.Tensor:
        self.generator.begin()
        return self._next_tokens(batch[0].flatten(1)[:, : self.generator.prompt_tokens])

    def decode(self, tokens: Any) -> torch.Tensor:
        return self._next_tokens(torch.as_tensor(tokens, device=self.device)[:, None])

    def token_logits(self) -> numpy.ndarray:
        return host(self.last_logits)

    @inference_mode()
    def _next_tokens(self, tokens: torch.Tensor) -> torch.Tensor:
        self._set_training(False)
        with self.precision.forward():
            self.last_logits = self.generator.logits(tokens)
        return self.last_logits.argmax(dim=-1)

    def input_gradient(self, batch: Batch, cotangents: numpy.ndarray) -> numpy.ndarray:
        self._set_training(False)
        images = batch[0].detach().requires_grad_()
        logits = self.forward(images)
        moved = torch.from_numpy(cotangents).to(self.device)
        (gradient,) = torch.autograd.grad(logits, images, moved)
        return host(gradient)

    @inference_mode()
    def compute_types(self, batch: Batch) -> List[str]:
        self._set_training(False)
        types = Types(self.module)
        with self.precision.forward():
            types.run(batch[0])
        return types.names()

    def synchronise(self) -> None:
        if self.device.type == "cuda":
            torch.cuda.synchronize(self.device)

    def describe(self) -> Dict[str, Any]:
        libraries = dict(re.findall(LIBRARIES, build_configuration()), CUDA=torch.version.cuda)
        if getattr(torch.version, "hip", None):
            libraries["HIP"] = torch.version.hip
        decoder = image_decoder(self.job)
        if decoder:
            libraries["torchvision"] = decoder.VERSION
        flags = {
            "onednn": has_onednn(),
            "cudnn_benchmark": torch.backends.cudnn.benchmark,
            "fused_optimiser": IS_FUSED,
        }
        if RELEASE >= (1, 7):
            cudnn, products = torch.backends.cudnn, torch.backends.cuda.matmul
            flags["tf32"] = cudnn.allow_tf32 or products.allow_tf32
        return {
            "framework": "pytorch",
            "version": torch.__version__,
            "threads": torch.get_num_threads(),
            "libraries": libraries,
            "flags": dict(flags, **self.options),
            "devices": [str(self.device)],
            "device_batch_size": self.job.device_batch_size,
        }

    def _compiler_options(self) -> Dict[str, bool]:
        tuned = {"max_autotune": self.options["autotune"]}
        if self.job.stage == "infer":
            return {**tuned, "freezing": self.options["freeze"]}
        # In 2.13, True gave wrong gradients on the CPU: pooling to 1x1 after a grouped convolution.
        return {**tuned, "layout_optimization": self.job.device_kind != "cpu"}

    def _ready(self, batch: LabelledImages) -> List[torch.Tensor]:
        """A batch as tensors; for a GPU in pinned memory, from which copies are asynchronous."""
        tensors = map(torch.from_numpy, batch)
        return [t.pin_memory() for t in tensors] if self.device.type == "cuda" else list(tensors)

    def _moved(self, images: torch.Tensor, labels: torch.Tensor) -> Batch:
        """Images and labels on the device; copies from pinned memory may still be under way."""
        images = images.to(self.device, non_blocking=True, **self.layout)
        return images, labels.to(self.device, non_blocking=True)

    def _set_training(self, training: bool) -> None:
        """Set all modules to training or evaluation mode, if the mode changes."""
        if self.module.training != training:
            self.module.train(training)


def image_decoder(job: Job) -> Optional[ModuleType]:
    """The module that decodes a job's image files; None where the job has none."""
    if not job.data or not dataset.is_encoded(dataset.load(job.data)):
        return None
    from worker.frameworks.pytorch import reader  # its import of torchvision takes seconds

    return reader


def host(tensor: torch.Tensor) -> numpy.ndarray:
    """A tensor's values as float32 on the host, since NumPy lacks bfloat16."""
    values: numpy.ndarray = tensor.detach().float().cpu().numpy()
    return values


def arrays(tensors_by_name: Dict[str, torch.Tensor]) -> Weights:
    """Copies of tensors on the host."""
    return {name: host(tensor).copy() for name, tensor in tensors_by_name.items()}


def check(job: Job) -> Dict[str, Any]:
    """The job's options with defaults; raises events.Unsupported for a job PyTorch can't do."""
    options = support.check(job, PRECISIONS, OPTIONS, several=SEVERAL, nodes=NODES)
    support.check_value("inference_weights", options, precisions.IN_INFERENCE)
    support.check_average(job, options)
    if options["compile"] and RELEASE < (2, 1):
        raise events.Unsupported("option compile: PyTorch has all that it sets from 2.1 on")
    if options["autotune"] and not options["compile"]:
        raise events.Unsupported("option autotune needs option compile")
    if options["autotune"] and job.device_kind == "cpu" and not options["freeze"]:
        raise events.Unsupported("option autotune needs option freeze on processors")
    if options["freeze"] and not (options["compile"] and job.stage == "infer"):
        raise events.Unsupported("option freeze is for stage infer and needs option compile")
    if options["compile"] and job.stage == "generate":
        raise events.Unsupported("option compile is not for stage generate")
    memory.check(job, options)
    support.check_gpu_count(job, torch.cuda.device_count())
    if job.device_kind == "cuda":
        support.check_capability(job, torch.cuda.get_device_capability())
    return options
