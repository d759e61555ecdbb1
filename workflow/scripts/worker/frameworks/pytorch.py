"""PyTorch: eager by default; `compile` and `channels_last` are options."""

import os
import re

# A cache on the disk would give each later run another compile time than the first.
os.environ["TORCHINDUCTOR_FORCE_DISABLE_CACHES"] = "1"

import torch
from torch.nn.functional import cross_entropy

from worker import dataset, devices, readers, support
from worker.frameworks._pytorch_ranks import AllDevices, Joined
from worker.layers.pytorch import graph_module
from worker.prefetch import prefetch
from worker.readers import lmdb

TITLE = "PyTorch"
FORMAT = "lmdb"
COLOUR = "#ee4c2c"
SEVERAL = ("cpu", "cuda")

DEVICES = ("cpu", "cuda")
PRECISIONS = ("float32",)
OPTIONS = {"channels_last": False, "compile": False}
LAYOUTS = {False: torch.contiguous_format, True: torch.channels_last}
# Else it gave wrong gradients on the CPU (2.13): of a pooling to 1x1 behind a grouped convolution.
COMPILER = {"layout_optimization": False}
LIBRARIES = r"(Math Kernel Library|MKL-DNN|CPU capability usage)(?: Version|:)? v?(\S+)"
RENAMED = {
    "kernel": "weight",
    "scale": "weight",
    "shift": "bias",
    "running_variance": "running_var",
}


def Adapter(job):  # noqa: N802
    """One device's part of the work here, or all devices', each in a process of its own."""
    support.check(job, DEVICES, PRECISIONS, OPTIONS, several=SEVERAL)
    support.enough_gpus(job, torch.cuda.device_count())
    is_alone = devices.parts(job["device"])[1] == 1
    return Device(job) if is_alone else AllDevices(job, Replica)


def image_decoder(job):
    """The module that decodes a job's image files, None where it reads none."""
    if not job["data"] or not dataset.is_encoded(dataset.load(job["data"])):
        return None
    from worker.readers import pytorch  # whose torchvision takes seconds and memory

    return pytorch


class Device:
    """A module of the neutral layers, trained by torch.optim.SGD."""

    def __init__(self, job, rank=0):
        kind, count = devices.parts(job["device"])
        self.job, self.part = job, (rank, count)
        self.options = dict(OPTIONS, **job["options"])
        self.device = torch.device(kind, rank if kind == "cuda" else None)
        self.layout = LAYOUTS[self.options["channels_last"]]
        torch.set_num_threads(devices.threads(job))
        torch.manual_seed(job["seed"] + rank)
        torch.backends.cudnn.benchmark = True
        torch.backends.cudnn.allow_tf32 = torch.backends.cuda.matmul.allow_tf32 = False

    def build(self, network):
        self.module = graph_module(network).to(self.device, memory_format=self.layout)
        self.forward = self.joined(self.module)
        if self.options["compile"]:
            self.forward = torch.compile(self.forward, options=COMPILER)
        self.tensors = {
            weight.name: getattr(
                self.module.get_submodule(layer.name), RENAMED.get(weight.role, weight.role)
            )
            for layer in network.layers
            for weight in layer.weights
        }

    def joined(self, module):
        """The module as it is trained: joined with those of other devices where there are some."""
        return module

    @torch.no_grad()
    def load(self, weights):
        for name, tensor in self.tensors.items():
            tensor.copy_(torch.from_numpy(weights[name]))
        recipe = {name: self.job[name] for name in ("momentum", "weight_decay")}
        recipe["lr"] = self.job["learning_rate"]
        self.optimiser = torch.optim.SGD(self.module.parameters(), fused=True, **recipe)

    def weights(self):
        return {name: t.detach().cpu().numpy().copy() for name, t in self.tensors.items()}

    def batch(self, images, labels):
        return self._moved(torch.from_numpy(images), torch.from_numpy(labels))

    def batches(self, split):
        index = dataset.of_job(self.job)
        mean = torch.tensor(index["mean"], device=self.device).view(-1, 1, 1)
        rank, _ = self.part
        job = dict(self.job, seed=self.job["seed"] + rank, threads=devices.threads(self.job))
        decoder = image_decoder(job)
        read = readers.choose(lmdb, index, job, decoder and decoder.read, part=self.part)
        stream = dataset.stream(read, index, split, self.job["batch_size"])
        for batch in prefetch(map(self._ready, stream)):
            pixels, labels = self._moved(*batch)
            yield pixels.float().sub_(mean).mul_(index["scale"]), labels

    def train_step(self, batch):
        images, labels = batch
        assert len(labels) == devices.batch_size(self.job)
        self._set_training(True)
        loss = cross_entropy(self.forward(images), labels)
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        self.optimiser.step()
        return loss.detach()

    @torch.inference_mode()
    def predict(self, batch):
        images, labels = batch
        self._set_training(False)
        return self.forward(images).cpu().numpy(), labels.cpu().numpy()

    def synchronise(self):
        if self.device.type == "cuda":
            torch.cuda.synchronize(self.device)

    def describe(self):
        libraries = dict(re.findall(LIBRARIES, torch.__config__.show()), CUDA=torch.version.cuda)
        decoder = image_decoder(self.job)
        if decoder:
            libraries["torchvision"] = decoder.VERSION
        flags = {
            "onednn": torch.backends.mkldnn.is_available() and torch.backends.mkldnn.enabled,
            "cudnn_benchmark": torch.backends.cudnn.benchmark,
            "tf32": torch.backends.cudnn.allow_tf32 or torch.backends.cuda.matmul.allow_tf32,
            "fused_optimiser": True,
        }
        return {
            "framework": "pytorch",
            "version": torch.__version__,
            "threads": torch.get_num_threads(),
            "libraries": libraries,
            "flags": dict(flags, **self.options),
            "devices": [str(self.device)],
            "device_batch_size": devices.batch_size(self.job),
        }

    def _ready(self, batch):
        """A batch as tensors, for a GPU in memory from which the copy need not be waited for."""
        tensors = map(torch.from_numpy, batch)
        return [t.pin_memory() for t in tensors] if self.device.type == "cuda" else list(tensors)

    def _moved(self, images, labels):
        """Images and labels on the device; from pinned memory, copied behind what it has to do."""
        images = images.to(self.device, memory_format=self.layout, non_blocking=True)
        return images, labels.to(self.device, non_blocking=True)

    def _set_training(self, training):
        """Visit all modules only where the mode changes."""
        if self.module.training != training:
            self.module.train(training)


class Replica(Joined, Device):
    """One of several devices."""
