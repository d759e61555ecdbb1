"""What no schema can say of a case's pixels: refusing it in one line."""

from collections.abc import Mapping
from typing import Any

from trainmark.study.config.errors import StudyError
from trainmark.study.datasets import DataSetFacts
from worker import networks

BYTES = {"mean": "none"}
"""The rule by which pixels stay as they are stored."""


def check(where: str, settings: Mapping[str, Any], facts: DataSetFacts) -> None:
    """The rule for pixels and what is drawn for each image make sense, for these images."""
    rule, augment = settings["pixels"], settings["augment"]
    reads_bytes = networks.reads_bytes(settings["network"])
    if reads_bytes and (facts.encoded or rule != BYTES or augment):
        raise StudyError(
            f"{where}: {settings['network']} reads stored pixels as bytes: give it a data set of "
            "these, such as synthetic-1x1x128-2, with pixels: {mean: none} and no augment"
        )
    if facts.encoded and (rule or augment):
        raise StudyError(
            f"{where}: pixels and augment are for stored pixels; {facts.name} has image files, "
            "which their readers crop, mirror and normalise"
        )
    if "standardise" in rule and len(rule) > 1:
        raise StudyError(f"{where}: pixels: standardise goes without mean and divisor")
    if "crop" in augment and "image_size" not in settings and "image_shape" not in settings:
        raise StudyError(f"{where}: augment: crop needs image_size, the side of what is cropped")
