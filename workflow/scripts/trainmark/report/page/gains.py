"""What other settings of a framework gain over its default, for the page's first answer."""

from collections.abc import Iterator, Sequence

import pandas as pd

from trainmark.report.page.answers import Line
from trainmark.report.tables import tuned
from trainmark.report.words import cells

NO_GAIN = "none is significantly faster than its default"
NO_INTERVAL = "too few runs for an interval"


def lines(measurements: pd.DataFrame) -> Iterator[Line]:
    """The largest gain of each framework, then those without any: what the table `tuned` has.

    Nothing where no framework has its default and another entry with values.
    """
    table = tuned.make(measurements)
    compared = table[(table["default_n"] > 0) & (table["tried"] > 0)]
    if compared.empty:
        return
    varying = cells.varying(compared)
    gains = compared.groupby("framework", sort=False)["by"].transform("count") > 0
    for _, rows in compared[gains].groupby("framework", sort=False):
        yield _largest(rows, varying)
    others = compared[~gains]
    intervals = others.groupby("framework", sort=False)["with_interval"].transform("sum") > 0
    yield from _of_several(others[intervals], "No gain", NO_GAIN)
    yield from _of_several(others[~intervals], "Not known", NO_INTERVAL)


def _of_several(rows: pd.DataFrame, answer: str, note: str) -> Iterator[Line]:
    """A line on all frameworks of some rows; none without rows."""
    if len(rows):
        names = ", ".join(cells.framework_titles(rows.drop_duplicates("framework")))
        yield Line(f"{names}, other settings", answer, note)


def _largest(rows: pd.DataFrame, varying: Sequence[str]) -> Line:
    """The largest of a framework's gains, where it is, and of how many ratios."""
    best = rows.nlargest(1, "ratio")
    row = best.iloc[0]
    title = cells.framework_title(row["framework"], row["adapter"])
    where = ", ".join([str(row["case"]), *(cells.settings(best, name)[0] for name in varying)])
    tried = rows["tried"].sum()
    count = f", the largest significant one of {tried:,} ratios" * bool(tried > 1)
    gain = f"{cells.ratio(row)}{cells.mark(row)}"
    note = f"{gain} times as fast as its default in {where}{count}"
    return Line(f"{title}, other settings", str(row["by"]), note)
