"""Finding the release between two others that changed something, by measuring few of them."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import pandas as pd

from trainmark.analyse.compare.pairs import UNDECIDED
from trainmark.errors import TrainmarkError
from trainmark.study.axes import ALL_BUT_FRAMEWORK


class NoChange(TrainmarkError):
    """Two releases that don't differ: there is nothing to be found between them."""


class Change(NamedTuple):
    """The largest change that is known: between which measured releases it is."""

    before: str
    after: str

    def middle(self, numbers: Sequence[str], measured: Sequence[str]) -> str | None:
        """The release in the middle of those between both that aren't measured, or None.

        numbers: all releases in their order; measured: those of them that were.
        """
        between = numbers[numbers.index(self.before) + 1 : numbers.index(self.after)]
        left = [number for number in between if number not in measured]
        return left[len(left) // 2] if left else None


def of_one_point(rows: pd.DataFrame) -> pd.DataFrame:
    """The rows of `by_release` of the only settings of which a release has a value.

    Settings of which none has one are left out, such as those that the study excludes. Raises
    NoChange where several are left.
    """
    has_value = (
        rows.groupby(list(ALL_BUT_FRAMEWORK), dropna=False, sort=False)["n"].transform("max") > 0
    )
    valued = rows[has_value] if has_value.any() else rows
    if valued["release"].duplicated().any():
        raise NoChange("the case has several configurations; leave one value of each axis")
    return valued.reset_index(drop=True)


def change(rows: pd.DataFrame) -> Change:
    """The change between the first and the last of some measured releases, as far as it is known.

    Takes rows of `of_one_point`. If all runs of one end have a value, but not those of
    the other, it is where runs begin to fail, or end to. Otherwise it is the largest step of the
    speed in the direction of the whole change: speeds needn't be monotonic, and releases between
    without a value are left out. Raises NoChange.
    """
    works = rows["n"] == rows["repeats"]
    if works.iloc[0] != works.iloc[-1]:
        at = int((works != works.iloc[0]).to_numpy().argmax())
        return Change(str(rows["release"].iloc[at - 1]), str(rows["release"].iloc[at]))
    first, last = rows.iloc[0], rows.iloc[-1]
    for end in (first, last):
        if not end["n"]:
            raise NoChange(f"runs of both {_both(rows)} fail: {end['remark']}")
    if last["first_verdict"] in UNDECIDED:
        raise NoChange(
            f"{_both(rows)} can't be told apart: ratio {last['first_ratio']:.3f}, 95 % interval "
            f"{_interval(last)}; raise repeats"
        )
    compared = rows[rows["ratio"].notna()]
    steps = compared["ratio"].astype(float).map(math.log)
    largest = compared.iloc[int((steps * math.log(last["first_ratio"])).to_numpy().argmax())]
    return Change(str(largest["than"]), str(largest["release"]))


def _interval(row: pd.Series) -> str:
    if pd.isna(row["first_low"]):
        return "by two runs at least"
    return f"{row['first_low']:.3f} to {row['first_high']:.3f}"


def _both(rows: pd.DataFrame) -> str:
    return f"{rows['series'].iloc[0]} {rows['release'].iloc[0]} and {rows['release'].iloc[-1]}"
