"""The charts that a study names: a metric in a style, drawn for each case."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from trainmark.study.config import schemas


class Chart(NamedTuple):
    """An entry of a study's key `charts`: a metric, and a file of trainmark/report/charts."""

    metric: str
    style: str


def of(config: Mapping[str, Any]) -> list[Chart]:
    """The charts of a complete study, each once."""
    style = schemas.load("config")["$defs"]["chart"]["properties"]["style"]["default"]
    entries = ({"metric": each} if isinstance(each, str) else each for each in config["charts"])
    return list(dict.fromkeys(Chart(**{"style": style, **entry}) for entry in entries))
