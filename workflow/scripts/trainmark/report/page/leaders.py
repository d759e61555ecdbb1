"""The fastest frameworks of each comparison of a study, for the sentences on its page."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import pandas as pd

from trainmark.analyse.compare.pairs import FASTEST, NO_INTERVAL, UNDECIDED
from trainmark.report.words import cells
from trainmark.study.axes import ALL_BUT_FRAMEWORK


class Leaders(NamedTuple):
    """Who is fastest where frameworks are compared: in a case, with the same settings.

    Attributes:
        case: its name.
        settings: the values of the settings that vary within cases, in words.
        names: the frameworks that may be fastest, that with the best mean first.
        compared: how many frameworks have a value.
        repeats: the largest number of values of one of them.
        lacks_interval: whether the ratio of one of `names` has no interval.
        slowest: the smallest ratio to the best mean.

    """

    case: str
    settings: str
    names: list[str]
    compared: int
    repeats: int
    lacks_interval: bool
    slowest: float

    @property
    def is_significant(self) -> bool:
        """Whether one framework is significantly faster than all others."""
        return self.compared > 1 and len(self.names) == 1 and self.repeats > 1

    @property
    def where(self) -> str:
        """The case and its settings."""
        return f"{self.case}, {self.settings}" if self.settings else self.case

    @property
    def fastest(self) -> str:
        """The frameworks that may be fastest; after one run each, that with the highest value."""
        if self.repeats == 1:
            return self.names[0]
        most = ", ".join(self.names[:-1])
        return f"{most} or {self.names[-1]}" if most else self.names[0]

    @property
    def certainty(self) -> str:
        """How sure it is that these are fastest."""
        if self.compared == 1:
            return "the only one with a value"
        if self.repeats == 1:
            return "highest of one run each, which have no interval"
        if self.is_significant:
            return f"significantly fastest, {cells.factor(1 / self.slowest)} times the slowest"
        return "fastest, not distinguishable" + " or without an interval" * self.lacks_interval

    @property
    def sentence(self) -> str:
        """Who is fastest, and how sure that is."""
        return f"{self.fastest}: {self.certainty}." if self.compared else "No value."


def comparisons(compared: pd.DataFrame) -> Iterator[tuple[Leaders, pd.DataFrame]]:
    """The leaders of each comparison with its configurations, the best mean first.

    `compared` is of `pairs.beside_the_fastest`.
    """
    varying = cells.varying(compared)
    for _, group in compared.groupby(list(ALL_BUT_FRAMEWORK), sort=False):
        ordered = group.sort_values("ratio", ascending=False, na_position="last")
        yield _leaders(ordered, varying), ordered


def _leaders(ordered: pd.DataFrame, varying: Sequence[str]) -> Leaders:
    valued = ordered[ordered["n"] > 0]
    best = valued[valued["verdict"] == FASTEST]
    rivals = valued[valued["verdict"].isin(UNDECIDED)]
    settings = [cells.settings(ordered.head(1), name)[0] for name in varying]
    return Leaders(
        case=str(ordered["case"].iloc[0]),
        settings=", ".join(settings),
        names=cells.framework_titles(pd.concat([best, rivals])),
        compared=len(valued),
        repeats=int(ordered["n"].max()),
        lacks_interval=bool((rivals["verdict"] == NO_INTERVAL).any()),
        slowest=float(valued["ratio"].min()) if len(valued) else 1.0,
    )
