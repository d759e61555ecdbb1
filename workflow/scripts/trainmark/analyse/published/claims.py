"""Sentences of published studies that measurements can test.

A study's sentences are in resources/published/<study>/claims.yaml. Each has comparisons, such as
`{case: lenet-mnist, device: cpu, framework: "pytorch, cntk > caffe, mxnet"}`: on LeNet and the CPU
the training speed of PyTorch and of CNTK is greater than that of Caffe and of MXNet. Any axis may
have the `>`; `cuda:1 on P100` is a device on a machine with that hardware. `metric` names another
metric than the training speed, `times: [20, 30]` the ends of the ratio (null: none), which are
otherwise 1 and none. `share: 0.5` of a claim: more than this share of its pairs is enough, instead
of all. A column that isn't named may have any value.
"""

import math
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any, NamedTuple

import yaml

from trainmark.analyse.published.studies import RESOURCES
from trainmark.study import plugins

DEFAULT_METRIC = "training_speed"


class Comparison(NamedTuple):
    """A statement that a metric is greater for some values of an axis than for others.

    Attributes:
        axis: the column of these values, `greater` and `less`.
        where: the values of other columns that the statement is about, by the column.
        least, most: the ends of the ratio greater / less.

    """

    metric: str
    axis: str
    greater: tuple[str, ...]
    less: tuple[str, ...]
    where: Mapping[str, tuple[str, ...]]
    least: float
    most: float


class Claim(NamedTuple):
    """A sentence of a published study, with its place there.

    Attributes:
        statement: the comparisons as they are written.
        share: the claim holds if more than this share of the pairs does; None: if all do.

    """

    place: str
    quotation: str
    statement: str
    comparisons: tuple[Comparison, ...]
    share: float | None


def of_study(study: str) -> list[Claim]:
    """The claims of a published study, by its folder's name."""
    text = (RESOURCES / study / "claims.yaml").read_text(encoding="utf-8")
    return [_claim(entry) for entry in yaml.safe_load(text)]


def _claim(entry: Mapping[str, Any]) -> Claim:
    written = entry["comparisons"]
    return Claim(
        entry["place"],
        entry["quotation"],
        "; ".join(map(_statement, written)),
        tuple(comparison for each in written for comparison in _comparisons(each)),
        entry.get("share"),
    )


def _comparisons(written: Mapping[str, Any]) -> Iterator[Comparison]:
    """The comparisons of neighbours in `a > b > c`."""
    columns = {name: value for name, value in written.items() if name not in ("metric", "times")}
    axis = next(name for name, value in columns.items() if ">" in value)
    groups = [tuple(map(str.strip, group.split(","))) for group in columns.pop(axis).split(">")]
    where = {name: _several(value) for name, value in columns.items()}
    least, most = written.get("times", (1, None))
    for greater, less in pairwise(groups):
        yield Comparison(
            written.get("metric", DEFAULT_METRIC),
            axis,
            greater,
            less,
            where,
            least,
            math.inf if most is None else most,
        )


def _several(value: Any) -> tuple[str, ...]:
    return tuple(value) if isinstance(value, list) else (value,)


def _statement(written: Mapping[str, Any]) -> str:
    """A comparison as a reader reads it, its metric first."""
    title = plugins.facts("metric", written.get("metric", DEFAULT_METRIC))["TITLE"]
    parts = [f"{title}: {next(v for v in written.values() if isinstance(v, str) and '>' in v)}"]
    if "times" in written:
        least, most = written["times"]
        parts.append(f"{least} times" if most is None else f"{least} to {most} times")
    where = [
        " and ".join(_several(value))
        for name, value in written.items()
        if name not in ("metric", "times") and ">" not in value
    ]
    return ", ".join([*parts, *where])
