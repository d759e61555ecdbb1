"""Whether a run that ended well also makes sense."""

import math
from collections.abc import Iterator

from trainmark.analyse.run import Absent, Run


def violations(run: Run) -> list[str]:
    """Say what is wrong with a run that says it is ok; empty if nothing is."""
    found: list[str] = []
    for check in (_finite_losses, _all_steps, _all_images, _version):
        try:
            found += check(run)
        except Absent as absent:
            found.append(str(absent))
    return list(dict.fromkeys(found))


def _finite_losses(run: Run) -> Iterator[str]:
    for step, loss in enumerate(run.event("window_end")["losses"], start=1):
        if loss is None or not math.isfinite(loss):
            yield f"the loss is not finite from step {step} on"
            return


def _all_steps(run: Run) -> Iterator[str]:
    asked, window = run.job["steps"], run.event("window_end")
    if window["steps"] != asked or len(window["step_end_seconds"]) != asked:
        yield f"{len(window['step_end_seconds'])} steps instead of {asked}"


def _all_images(run: Run) -> Iterator[str]:
    asked, images = run.job["steps"] * run.job["batch_size"], run.event("window_end")["images"]
    if images != asked:
        yield f"{images} images instead of {asked}"


def _version(run: Run) -> Iterator[str]:
    if not run.event("environment").get("version"):
        yield "the framework's version is unknown"
