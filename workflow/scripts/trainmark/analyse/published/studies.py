"""The published studies whose values are read in this project's names."""

from collections.abc import Callable
from pathlib import Path

from trainmark.analyse.published import gtdlbench, latency, thesis
from trainmark.analyse.published.result_sets import Published
from trainmark.study import plugins

RESOURCES = plugins.SCRIPTS.parents[1] / "resources" / "published"
STUDIES: dict[str, Callable[[Path], Published]] = {
    "thesis": thesis.published,
    "latency": latency.published,
    "gtdlbench": gtdlbench.published,
}


def published(name: str) -> Published:
    """The values of a published study, by its folder's name."""
    return STUDIES[name](RESOURCES / name)
