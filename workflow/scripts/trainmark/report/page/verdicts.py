"""The ratio and verdict of any two configurations of a case, by the main metric of their stage."""

from itertools import combinations
from typing import Any

import pandas as pd

from trainmark.analyse.compare.configurations import main_values, scores
from trainmark.analyse.compare.pairs import verdict
from trainmark.analyse.compare.statistics import ratio
from trainmark.report.page import values


def verdicts(listed: pd.DataFrame, measurements: pd.DataFrame) -> dict[str, list[Any]]:
    """[ratio, low, high, verdict] of the first by the second, by their numbers in `values.listed`.

    A key is "3,17", the smaller number first. Those without a value are in no pair; low and high
    are None where one of two has one run alone.
    """
    numbers = values.numbers(listed)
    table = main_values(measurements)
    valued = table[table["n"] > 0]
    pairs = {}
    for _, group in valued.groupby(["case", "metric"], sort=False):
        scored = sorted((numbers[values.key(row)], scores(row)) for _, row in group.iterrows())
        for (one, first), (other, second) in combinations(scored, 2):
            speeds = ratio(first, second)
            shown = [value and values.short(value) for value in vars(speeds).values()]
            pairs[f"{one},{other}"] = [*shown, verdict(speeds)]
    return pairs
