"""Prediction: the logits of one batch, call by call, and with many calls in flight.

Latency and throughput are measured apart. Latency: a call ends when its logits are on the host, and
then the next one begins. Throughput: calls follow one another without waiting, and the device is
waited for once, at the end. The batch is in memory, in the framework's own form.

Where the job has the trained weights of another run, the batch is the first one of the test split.
Afterwards the whole test split is predicted for the accuracy. Where the job names a run of stage
attack, that run's adversarial images are predicted too.
"""

import itertools
from typing import List

import numpy

from worker.accuracy import evaluation
from worker.adapter import Adapter, OwnClock
from worker.arrays import Batch, Weights
from worker.attacks.harness import robustness
from worker.attacks.harness.target import Target
from worker.input import dataset, modes
from worker.job import Job
from worker.models.runtime import Runtime
from worker.networks.neutral.builder import Network
from worker.proof import observe, start
from worker.timing import calls

CALIBRATION_IMAGES = 256  # the first images of the training split, rounded up to whole batches

MAIN_METRIC = "inference_speed"
UPDATES_WEIGHTS = False
INPUT_MODES = ("synthetic",)
TRAINED_INPUT_MODES = ("dataset",)

OBSERVE = observe.prediction


def run(adapter: Adapter, job: Job, network: Network, initial: Weights, batch: Batch) -> None:
    """Predict the fixed `batch` repeatedly; there is no dropout in prediction."""
    if job.trained is not None:
        if isinstance(adapter, Runtime):
            adapter.expect_trained(calibration_batches(adapter, job))
        adapter.load(start.trained(job))
        dataset.check_batch(dataset.of_job(job), job.batch_size, "test")
        batch = next(modes.batches(adapter, job, "test"))

    def waited() -> numpy.ndarray:
        return adapter.fetch(adapter.infer(batch))

    if isinstance(adapter, OwnClock):
        calls.measure_elsewhere(adapter, job, waited)
    else:
        calls.measure(adapter, job, queued=lambda: adapter.infer(batch), waited=waited)
    if job.evaluate:
        evaluation.evaluate(adapter, job)
    if job.attacked is not None:
        robustness.transfer(Target(adapter, job), job)


def calibration_batches(adapter: Runtime, job: Job) -> List[numpy.ndarray]:
    """The first training images in the job's batches, float32 (n, C, H, W), normalised.

    They are in the stored order and without the job's random changes; of image files the reader
    still draws crops and mirroring. Their memory layout is contiguous, as torch.export requires of
    a program's inputs.
    """
    count = -(-CALIBRATION_IMAGES // job.batch_size)
    as_stored = job._replace(augment=[], shuffle=False)
    batches = itertools.islice(modes.neutral_batches(adapter, as_stored, "train"), count)
    return [numpy.ascontiguousarray(images) for images, _ in batches]
