"""How wide the intervals of ratios are by each way to compare, and how often they are right.

usage: python benchmarks/intervals.py MEASUREMENTS [--repeats 3 4 5] [--again=-again]

MEASUREMENTS is the measurements.csv of a study of many repeats, in which a framework may stand
twice, the second time by a name that ends in "-again". Of each choice of so many rounds, each two
configurations of a case are compared. Printed are, by case, the median width of the interval (from
low to high, in percent of the ratio), the share of intervals of a framework and itself that contain
1, of the framework with the lowest, the share of those of others that contain the ratio of all
rounds, and the first share again where all runs of a framework are dealt out anew, 400 times:

  welch    each group by itself (Welch 1947), as the tables have it
  paired   the ratios within rounds, by Student's t
  adjusted Welch's, once each round's mean over all of a case is taken out
  moderated  each group's variance drawn towards that of all of a case (Smyth 2004), then as Welch
  pooled   one spread for all of a case, rounds taken out (two-way analysis of variance)
"""

import argparse
from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
import places  # noqa: F401 (puts trainmark on the path)
from scipy import optimize, special, stats

from trainmark.analyse.compare.configurations import main_rows
from trainmark.analyse.compare.statistics import CONFIDENCE
from trainmark.analyse.csv import measurements

DEALS = 400
Logs = pd.DataFrame
"""Logarithms of speeds: a row per round, a column per configuration."""
Interval = tuple[float, float]
Way = Callable[[Logs, str, str], Interval]


def welch(logs: Logs, first: str, second: str) -> Interval:
    """Each group by itself."""
    test = stats.ttest_ind(logs[first], logs[second], equal_var=False)
    interval = test.confidence_interval(CONFIDENCE)
    return float(interval.low), float(interval.high)


def paired(logs: Logs, first: str, second: str) -> Interval:
    """By the differences within rounds."""
    differences = logs[first] - logs[second]
    return _around(
        float(differences.mean()),
        float(differences.std(ddof=1) / np.sqrt(len(logs))),
        len(logs) - 1,
    )


def adjusted(logs: Logs, first: str, second: str) -> Interval:
    """Each group by itself, without what the rounds have in common.

    Some of a configuration's own spread goes with the mean of so many; the factor makes up for it.
    """
    count = len(logs.columns)
    rest = logs.sub(logs.mean(axis=1), axis=0)
    spread = np.sqrt(count / (count - 1))
    middles = rest.mean()
    return welch(middles + (rest - middles) * spread, first, second)


def moderated(logs: Logs, first: str, second: str) -> Interval:
    """Each group's variance drawn towards what all have in common, as far as they are alike."""
    freedom, rounds = len(logs) - 1, len(logs)
    variances = logs.var(ddof=1)
    prior, prior_freedom = prior_of(variances.to_numpy(), freedom)
    if np.isinf(prior_freedom):
        drawn, total = variances * 0 + prior, float(freedom * len(logs.columns))
    else:
        drawn, total = (
            (prior_freedom * prior + freedom * variances) / (prior_freedom + freedom),
            prior_freedom + freedom,
        )
    parts = drawn[[first, second]].to_numpy() / rounds
    df = parts.sum() ** 2 / (parts**2 / total).sum()
    middle = float(logs[first].mean() - logs[second].mean())
    return _around(middle, float(np.sqrt(parts.sum())), df)


def prior_of(variances: np.ndarray, freedom: int) -> tuple[float, float]:
    """The variance that all are drawn towards, and its degrees of freedom (Smyth 2004)."""
    logs = np.log(variances) - special.digamma(freedom / 2) + np.log(freedom / 2)
    spread = logs.var(ddof=1) - special.polygamma(1, freedom / 2)
    if spread <= 0:
        return float(np.exp(logs.mean())), float("inf")
    half = optimize.brentq(lambda x: special.polygamma(1, x) - spread, 1e-4, 1e6)
    return float(np.exp(logs.mean() + special.digamma(half) - np.log(half))), 2 * half


def pooled(logs: Logs, first: str, second: str) -> Interval:
    """By what configurations and rounds leave unexplained, of all of them together."""
    values = logs.to_numpy()
    rounds, configurations = values.shape
    rest = values - values.mean(0) - values.mean(1, keepdims=True) + values.mean()
    freedom = (rounds - 1) * (configurations - 1)
    deviation = float(np.sqrt((rest**2).sum() / freedom))
    middle = float(logs[first].mean() - logs[second].mean())
    return _around(middle, deviation * np.sqrt(2 / rounds), freedom)


WAYS: dict[str, Way] = {
    "welch": welch,
    "paired": paired,
    "adjusted": adjusted,
    "moderated": moderated,
    "pooled": pooled,
}


def _around(middle: float, error: float, freedom: float) -> Interval:
    half = float(stats.t.ppf((1 + CONFIDENCE) / 2, freedom)) * error
    return middle - half, middle + half


def cases(table: pd.DataFrame) -> Iterator[tuple[str, Logs]]:
    """The speeds of each case by rounds, of the rounds that are whole."""
    for case, rows in main_rows(table).groupby("case", sort=False):
        speeds = rows.pivot_table(index="repeat", columns="framework", values="value")
        yield str(case), speeds.dropna().map(np.log)


def compared(logs: Logs, repeats: int, again: str, way: Way) -> tuple[float, float, float]:
    """Median width, and how often the worst framework beside itself and others are right, in %."""
    widths, others = [], []
    equals: dict[str, list[bool]] = {}
    for chosen in combinations(range(len(logs)), repeats):
        rounds = logs.iloc[list(chosen)]
        for first, second in combinations(logs.columns, 2):
            low, high = way(rounds, first, second)
            widths.append(100 * (np.exp((high - low) / 2) - np.exp((low - high) / 2)))
            name = first.removesuffix(again)
            if name == second.removesuffix(again):
                equals.setdefault(name, []).append(low <= 0 <= high)
            else:
                truth = logs[first].mean() - logs[second].mean()
                others.append(low <= truth <= high)
    worst = min((float(np.mean(right)) for right in equals.values()), default=np.nan)
    return float(np.median(widths)), 100 * worst, 100 * float(np.mean(others))


def dealt_anew(logs: Logs, repeats: int, again: str, way: Way) -> float:
    """How often the worst framework beside itself is right, its runs dealt to both at random."""
    random = np.random.default_rng(1)
    names = [name for name in map(str, logs) if name + again in logs]
    right: dict[str, list[bool]] = {name: [] for name in names}
    for _ in range(DEALS):
        dealt = logs.copy()
        for name in names:
            both = random.permutation(logs[[name, name + again]].to_numpy().ravel())
            dealt[[name, name + again]] = both.reshape(-1, 2)
        for name in names:
            low, high = way(dealt.iloc[:repeats], name, name + again)
            right[name].append(low <= 0 <= high)
    return 100 * min((float(np.mean(hits)) for hits in right.values()), default=np.nan)


def main(path: Path, repeats: list[int], again: str) -> None:
    """Print a line for each case, number of repeats and way."""
    print(
        "case  repeats  way  width %  itself right %  others right %  itself, dealt anew, right %"
    )
    for case, logs in cases(measurements.read(path)):
        for count in repeats:
            for name, way in WAYS.items():
                width, equals, others = compared(logs, count, again, way)
                dealt = dealt_anew(logs, count, again, way)
                shares = f"{equals:7.1f} {others:7.1f} {dealt:7.1f}"
                print(f"{case}  {count}  {name:9} {width:7.1f} {shares}", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Compare ways to compare.")
    parser.add_argument("measurements", type=Path)
    parser.add_argument("--repeats", type=int, nargs="+", default=[3, 4, 5])
    parser.add_argument("--again", default="-again")
    arguments = parser.parse_args()
    main(arguments.measurements, arguments.repeats, arguments.again)
