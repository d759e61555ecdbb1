"""Numbers of noise that the documents give: how repeats and kept archives differ."""

import itertools
import math
import statistics
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import pandas as pd

from trainmark.analyse.compare.configurations import configurations, values
from trainmark.analyse.sets import kept, result_set
from trainmark.analyse.sets.agreement import agreement
from trainmark.analyse.sets.result_set import ResultSet
from trainmark.study.axes import CONFIGURATION, KEY


class Different(NamedTuple):
    """5 of 32: how many ratios differ between a study's archives of one machine, begun by a day."""

    study: str
    machine: str
    apart: str
    day: str

    def written(self) -> str:
        table = agreements(self.study, self.day)
        is_chosen = (table["machine"] == self.machine) & (table["apart"] == self.apart)
        [(_, row)] = table[is_chosen].iterrows()
        return f"{row['different']} of {row['compared']}"


class Apart(NamedTuple):
    """1.08 and 1.66: how many times a framework's mean in one archive is that in another.

    The median and the largest, of a study's archives of one model of processor, begun by a day.
    """

    study: str
    model: str
    day: str

    def written(self) -> str:
        means = [
            configurations(results.measurements, "training_speed").set_index(list(KEY))["mean"]
            for results in until(self.day)
            if results.records[0]["job"]["study"] == self.study
            and results.records[0]["provenance"]["host"]["model"] == self.model
        ]
        pairs_of_means = itertools.combinations([mean.map(math.log) for mean in means], 2)
        factors = pd.concat([(one - other).abs() for one, other in pairs_of_means]).map(math.exp)
        return f"{factors.median():.2f} and {factors.max():.2f}"


class Spread(NamedTuple):
    """11: the standard deviation of repeats in %, of all archives begun by a day.

    It is pooled over the trained configurations whose windows have so many seconds on average.
    """

    least_seconds: float
    most_seconds: float
    day: str

    def written(self) -> str:
        table = spreads(self.day)
        chosen = table[table["seconds"].between(self.least_seconds, self.most_seconds)]
        return format(100 * math.sqrt(chosen["squares"].sum() / chosen["freedom"].sum()), ".0f")


@cache
def spreads(day: str) -> pd.DataFrame:
    """One row per configuration trained on processors: seconds of its windows, and its variance.

    That of the logarithms of its repeats' speeds, as sum of squares and degrees of freedom.
    """
    rows = []
    for table in measurements_until(day):
        on_processors = table[table["device"].str.startswith("cpu")]
        speeds, seconds = (
            configurations(on_processors, name).set_index(list(CONFIGURATION))
            for name in ("training_speed", "training_time")
        )
        for name, row in speeds[speeds["n"] > 1].iterrows():
            logarithms = [math.log(value) for value in values(row)]
            squares = statistics.variance(logarithms) * (len(logarithms) - 1)
            rows.append((seconds.loc[name, "mean"], squares, len(logarithms) - 1))
    return pd.DataFrame(rows, columns=["seconds", "squares", "freedom"])


class HostCorrelation(NamedTuple):
    """0.12: the correlation of a run's speed with the machine's own before it, of all archives.

    Both are logarithms of how many times the mean of their configuration they are.
    """

    day: str

    def written(self) -> str:
        parts = []
        for table in measurements_until(self.day):
            columns = [_deviations(table, name) for name in ("host_gflops", "training_speed")]
            parts.append(pd.concat(columns, axis=1, keys=["host", "run"]).dropna())
        both = pd.concat(parts)
        return format(both["host"].corr(both["run"]), ".2f")


def _deviations(table: pd.DataFrame, metric: str) -> pd.Series:
    rows = table[table["metric"] == metric].set_index([*CONFIGURATION, "repeat"])["value"]
    logarithms = rows.astype(float).map(math.log)
    return logarithms - logarithms.groupby(list(CONFIGURATION)).transform("mean")


def until(day: str) -> Iterator[ResultSet]:
    """All archives begun by a day."""
    for path in kept.paths():
        results = result_set.read(path)
        if f"{results.began:%Y-%m-%d}" <= day:
            yield results


def measurements_until(day: str) -> Iterator[pd.DataFrame]:
    """The measurements of all archives begun by a day."""
    return (results.measurements for results in until(day))


@cache
def agreements(study: str, day: str) -> pd.DataFrame:
    return agreement([each for each in until(day) if each.records[0]["job"]["study"] == study])
