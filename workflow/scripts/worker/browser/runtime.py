"""The adapter of a runtime in a page of a browser."""

import itertools
import json
import os
import sys
from pathlib import Path
from typing import Any, Dict, Iterable, Iterator, List, Optional

import numpy

from worker.adapter import OwnClock
from worker.arrays import LabelledImages, Predictions, Weights
from worker.browser.page import Page, ScriptError
from worker.browser.server import Server
from worker.events import Unsupported
from worker.job import Job
from worker.models.runtime import Runtime
from worker.networks.neutral.shapes import size_of

BROWSER, PACKAGES = "TRAINMARK_BROWSER", "TRAINMARK_PACKAGES"
"""Environment variables: the browser's program, and the folder of npm's packages."""
SENT_BYTES = 1 << 24
"""The largest size of images that are sent to the page together; one batch may be larger."""


class BrowserRuntime(Runtime, OwnClock):
    """A runtime in one page; a local server sends it images and receives its logits.

    A subclass's folder has runtime.js beside adapter.py: see page.html.
    """

    MODEL: str
    """The file that the page loads."""

    def __init__(self, job: Job) -> None:
        """Open the page; raises Unsupported if the browser doesn't start."""
        self.job = job
        runtime = Path(sys.modules[type(self).__module__].__file__ or "").parent
        self.packages = Path(os.environ[PACKAGES])
        folders = {"page": Path(__file__).parent, "runtime": runtime, "packages": self.packages}
        self.server = Server(folders)
        self.page = self.open_page()
        self.has_model = False

    def open_page(self) -> Page:
        """Start a browser with the empty page."""
        return Page(os.environ[BROWSER], self.server.address + "/page/page.html")

    def load(self, weights: Weights) -> None:
        if self.has_model:  # a new browser, so that its memory has no part of the earlier model
            self.page.close()
            self.page = self.open_page()
        self.has_model = True
        super().load(weights)

    def open(self, folder: Path) -> None:
        self.server.folders["model"] = folder
        shape = [self.job.batch_size, *self.job.image_shape]
        arguments = json.dumps([f"/model/{self.MODEL}", self.job.threads, shape])
        try:
            loaded = self.page.call(f"loadModel(...{arguments})")
        except ScriptError as error:  # an operator is missing, or memory is too small
            raise Unsupported(f"{self.job.adapter} can't load the model: {error}") from error
        if not loaded["isolated"]:
            raise Unsupported("the page isn't isolated, so it has neither threads nor a fine clock")

    def infer(self, batch: LabelledImages) -> numpy.ndarray:
        return self.logits(batch[0])

    def predictions(self, batches: Iterable[LabelledImages]) -> Iterator[Predictions]:
        """Predict batch after batch; several batches are sent to the page together."""
        count = max(1, SENT_BYTES // (4 * self.batch_values))
        batches = iter(batches)
        for together in iter(lambda: list(itertools.islice(batches, count)), []):
            logits = self.logits(numpy.concatenate([images for images, _ in together]))
            start = 0
            for images, labels in together:
                yield logits[start : start + len(labels)], labels
                start += len(images)

    def logits(self, images: numpy.ndarray) -> numpy.ndarray:
        """Predict images of one batch or several; float32 (n, classes)."""
        self.server.images = numpy.ascontiguousarray(images, numpy.float32).tobytes()
        self.page.call(f"predict({self.batch_values})")
        return numpy.frombuffer(self.server.logits, numpy.float32).reshape(-1, self.job.classes)

    @property
    def batch_values(self) -> int:
        """The number of values in a batch of images."""
        return self.job.batch_size * size_of(tuple(self.job.image_shape))

    def call_seconds(self, count: int, max_seconds: Optional[float]) -> List[float]:
        limit = "Infinity" if max_seconds is None else str(1e3 * max_seconds)
        milliseconds = self.page.call(f"time({count}, {limit})")
        return [1e-3 * each for each in milliseconds]

    def memory(self) -> Dict[str, int]:
        return {"empty_bytes": self.page.empty_bytes, "peak_bytes": self.page.peak_bytes()}

    def describe_package(self, package: str) -> Dict[str, Any]:
        """The fields of the `environment` event of a runtime that is an npm package."""
        path = self.packages / package / "package.json"
        version = json.loads(path.read_text(encoding="utf-8"))["version"]
        flags = {"switches": " ".join(self.page.switches)}
        return self.described(version, {"browser": self.page.version}, flags=flags)
