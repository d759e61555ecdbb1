"""Pixels from 0 to 1, the unit of attacks, and the normalised ones that a network takes."""

from typing import Iterable

import numpy

from worker.arrays import LabelledImages
from worker.input import dataset, pixels
from worker.job import Job

HIGHEST = 255  # of a stored pixel


class UnitRange:
    """Converts pixels from 0 to 1 to normalised ones, by the rule of a job's case."""

    def __init__(self, job: Job) -> None:
        assert job.data is not None, "a job that reads no data set has none"
        index = dataset.load(job.data)
        rule = pixels.constants(index, job.pixels)
        self.job, self.scale = job, numpy.float32(rule["scale"])
        self.mean = numpy.array(rule["mean"], numpy.float32).reshape(-1, 1, 1)
        if job.pixels.get("mean") == "image":
            whole = numpy.load(index["mean_image"])[None].astype(numpy.float32)
            self.mean = self.mean + pixels.centred(whole, job)[0]

    def first(self, batches: Iterable[LabelledImages], count: int) -> LabelledImages:
        """The first images of stored batches, float32 (n, C, H, W), and their labels.

        They are cropped in the middle, as the test split is.
        """
        images, labels, missing = [], [], count
        for stored, numbers in batches:
            images.append(pixels.centred(numpy.asarray(stored[:missing]), self.job))
            labels.append(numbers[:missing])
            missing -= len(labels[-1])
            if not missing:
                break
        shown = numpy.concatenate(images).astype(numpy.float32) / HIGHEST
        return shown, numpy.concatenate(labels)

    def normalised(self, images: numpy.ndarray) -> numpy.ndarray:
        """Images as the network takes them, float32."""
        normalised: numpy.ndarray = (images * numpy.float32(HIGHEST) - self.mean) * self.scale
        return normalised

    def pulled_back(self, gradients: numpy.ndarray) -> numpy.ndarray:
        """Gradients by pixels from 0 to 1, from those by normalised pixels (chain rule)."""
        by_pixels: numpy.ndarray = gradients * (self.scale * numpy.float32(HIGHEST))
        return by_pixels
