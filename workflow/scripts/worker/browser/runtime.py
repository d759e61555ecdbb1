"""The adapter of a runtime that lives in a page of a browser."""

import json
import os
import sys
from pathlib import Path
from typing import Any, Dict, List, Optional

import numpy

from worker.adapter import OwnClock
from worker.arrays import LabelledImages
from worker.browser.page import Page, ScriptError
from worker.browser.server import Server
from worker.events import Unsupported
from worker.job import Job
from worker.models.runtime import Runtime

BROWSER, PACKAGES = "TRAINMARK_BROWSER", "TRAINMARK_PACKAGES"
"""Variables of the environment: the browser, and the folder of npm's packages."""


class BrowserRuntime(Runtime, OwnClock):
    """One page, which holds the model; images go there and logits come back by a local server.

    The folder of its module has runtime.js beside adapter.py: see page.html.
    """

    MODEL: str
    """The file that the page loads."""

    def __init__(self, job: Job) -> None:
        """Open the page; raises Unsupported where the browser doesn't start."""
        self.job = job
        own = Path(sys.modules[type(self).__module__].__file__ or "").parent
        self.packages = Path(os.environ[PACKAGES])
        folders = {"page": Path(__file__).parent, "runtime": own, "packages": self.packages}
        self.server = Server(folders)
        self.page = Page(os.environ[BROWSER], self.server.address + "/page/page.html")

    def open(self, folder: Path) -> None:
        self.server.folders["model"] = folder
        shape = [self.job.batch_size, *self.job.image_shape]
        given = json.dumps([f"/model/{self.MODEL}", self.job.threads, shape])
        try:
            loaded = self.page.call(f"loadModel(...{given})")
        except ScriptError as error:  # for want of an operator, or of memory
            raise Unsupported(f"{self.job.adapter} can't load the model: {error}") from error
        if not loaded["isolated"]:
            raise Unsupported("the page isn't isolated, so it has neither threads nor a fine clock")

    def infer(self, batch: LabelledImages) -> numpy.ndarray:
        self.server.images = numpy.ascontiguousarray(batch[0], numpy.float32).tobytes()
        self.page.call("predict()")
        logits = numpy.frombuffer(self.server.logits, numpy.float32)
        return logits.reshape(-1, self.job.classes)

    def call_seconds(self, count: int, max_seconds: Optional[float]) -> List[float]:
        most = "Infinity" if max_seconds is None else str(1e3 * max_seconds)
        return [1e-3 * each for each in self.page.call(f"time({count}, {most})")]

    def described(self, package: str) -> Dict[str, Any]:
        """The fields of the `environment` event, of a runtime that is one of npm's packages."""
        path = self.packages / package / "package.json"
        return {
            "framework": self.job.adapter,
            "version": json.loads(path.read_text(encoding="utf-8"))["version"],
            "threads": self.job.threads,
            "libraries": {"browser": self.page.version},
            "flags": {"switches": " ".join(self.page.switches)},
            "devices": ["cpu"],
            "device_batch_size": self.job.batch_size,
        }
