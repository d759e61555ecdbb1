"""Numbers of kept archives, as the documents' sentences write them."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple, Protocol

import pandas as pd

from trainmark.analyse.compare.configurations import configurations, values
from trainmark.analyse.compare.pairs import pairs
from trainmark.analyse.compare.statistics import ratio
from trainmark.analyse.published.order import order
from trainmark.analyse.sets import kept, result_set
from trainmark.study.axes import CONFIGURATION

DOCUMENTS = Path(__file__).parents[1] / "docs"


class Number(Protocol):
    """A number as a sentence writes it."""

    def written(self) -> str: ...


Sentence = tuple[str, str, Sequence[Number]]
"""A document of docs/, a sentence of it with `{}` in the places of its numbers, and these."""
TITLES = {
    "caffe": "Caffe",
    "caffe2": "Caffe2",
    "cntk": "CNTK",
    "jax": "JAX",
    "mxnet": "MXNet",
    "pytorch": "PyTorch",
    "tensorflow": "TensorFlow",
    "theano": "Theano",
}
"""The frameworks as the documents call them."""


def assert_written(document: str, sentence: str, numbers: Sequence[Number]) -> None:
    """A document of docs/ has the sentence, with the numbers in its places `{}`."""
    written = sentence.format(*(number.written() for number in numbers))
    assert written in (DOCUMENTS / document).read_text(encoding="utf-8"), f"{document}: {written}"


class Source(NamedTuple):
    """A metric of a case of an archive."""

    archive: str
    case: str
    metric: str
    batch_size: int | None = None
    """Of a case that has several."""
    stage: str | None = None
    """Of a metric that several have."""
    precision: str | None = None
    """Of a case that is measured in several."""
    thread_count: str | None = None
    """Of a case that is measured with several."""
    input_mode: str | None = None
    """Of a case that is trained in several."""


class Mean(NamedTuple):
    """780 ± 187: a framework's mean, with the half width of its interval."""

    source: Source
    framework: str
    digits: str = ",.0f"

    def written(self) -> str:
        row = configuration(self.source, self.framework)
        return " ± ".join(format(row[name], self.digits) for name in ("mean", "half_width"))


class Only(NamedTuple):
    """780: a framework's mean alone, in a unit of the sentence's own."""

    source: Source
    framework: str
    digits: str = ",.0f"
    unit: float = 1

    def value(self) -> float:
        return float(configuration(self.source, self.framework)["mean"]) / self.unit

    def written(self) -> str:
        return format(self.value(), self.digits)


class Range(NamedTuple):
    """49 to 67: the lowest and the highest of all frameworks' means."""

    source: Source

    def written(self) -> str:
        means = table(self.source)["mean"]
        return f"{means.min():.0f} to {means.max():.0f}"


class Ratio(NamedTuple):
    """1.64 (1.31 to 2.06): how many times another's value a framework has."""

    source: Source
    framework: str
    other: str
    digits: str = ".2f"

    def written(self) -> str:
        first, second = (configuration(self.source, name) for name in (self.framework, self.other))
        return ratio_written(first, second, self.digits)


class RangeOfHost(NamedTuple):
    """143 to 240: the machine's lowest and highest speed before an archive's runs, in GFLOP/s."""

    archive: str

    def written(self) -> str:
        rows = measurements(self.archive)
        speeds = rows.loc[rows["metric"] == "host_gflops", "value"]
        return f"{speeds.min():.0f} to {speeds.max():.0f}"


class Between(NamedTuple):
    """1.79 (1.66 to 1.94): how many times a framework's value in another source it has in one."""

    source: Source
    other: Source
    framework: str

    def written(self) -> str:
        first, second = (configuration(source, self.framework) for source in self[:2])
        return ratio_written(first, second)


class Equals(NamedTuple):
    """0 of 20: of how many pairs of an archive's equal frameworks the verdict is a difference."""

    archive: str

    def written(self) -> str:
        table = pairs(measurements(self.archive))
        return f"{(table['verdict'] != 'not distinguishable').sum()} of {len(table)}"


class RangeOfRatios(NamedTuple):
    """1.00 to 1.18: of all pairs of an archive's frameworks, the faster over the slower."""

    archive: str

    def written(self) -> str:
        ratios = pairs(measurements(self.archive))["ratio"]
        return f"{ratios.min():.2f} to {ratios.max():.2f}"


class InOrder(NamedTuple):
    """28: how many pairs of frameworks an archive distinguishes, or how many agree with others."""

    archive: str
    column: str

    def written(self) -> str:
        return str(order(measurements(self.archive))[self.column].sum())


class Disturbed(NamedTuple):
    """0 of 54: how many runs of an archive were disturbed."""

    archive: str

    def written(self) -> str:
        runs = measurements(self.archive).drop_duplicates([*CONFIGURATION, "repeat"])
        return f"{runs['disturbed'].sum()} of {len(runs)}"


class SingleSteps(NamedTuple):
    """59 of 162: the windows of how many runs of an archive are a single step."""

    archive: str

    def written(self) -> str:
        records = result_set.read(kept.path(self.archive)).records
        measured = [each for each in records if each["status"] == "ok"]
        single = [each for each in measured if each["images"] == each["job"]["batch_size"]]
        return f"{len(single)} of {len(measured)}"


@cache
def measurements(archive: str) -> pd.DataFrame:
    return result_set.read(kept.path(archive)).measurements


@cache
def table(source: Source) -> pd.DataFrame:
    rows = measurements(source.archive)
    rows = rows[rows["case"] == source.case]
    for name in ("batch_size", "stage", "precision", "thread_count", "input_mode"):
        if wanted := getattr(source, name):
            rows = rows[rows[name] == wanted]
    return configurations(rows, source.metric)


def configuration(source: Source, framework: str) -> pd.Series:
    rows = table(source)
    [(_, row)] = rows[(rows["framework"] == framework) & (rows["n"] > 0)].iterrows()
    return row


def ratio_written(first: pd.Series, second: pd.Series, digits: str = ".2f") -> str:
    """The ratio of two configurations with its interval."""
    times = ratio(values(first), values(second))
    assert times.low is not None
    assert times.high is not None
    value, low, high = (format(x, digits) for x in (times.ratio, times.low, times.high))
    return f"{value} ({low} to {high})"
