"""What other settings of a framework gain over its default, for the page's first answer."""

from collections.abc import Iterator, Sequence

import pandas as pd

from trainmark.report.page.answers import Line
from trainmark.report.tables import tuned
from trainmark.report.words import cells

NO_GAIN = "none is significantly faster than its default"
ONE_RUN = "one run each, which have no interval"


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
    if len(others):
        names = ", ".join(cells.framework_titles(others.drop_duplicates("framework")))
        note = ONE_RUN if others["default_n"].max() == 1 else NO_GAIN
        yield Line(f"{names}, other settings", "No gain", note)


def _largest(rows: pd.DataFrame, varying: Sequence[str]) -> Line:
    """The largest of a framework's gains, where it is, and how many comparisons have one."""
    best = rows.nlargest(1, "ratio")
    row = best.iloc[0]
    title = cells.framework_title(row["framework"], row["adapter"])
    where = ", ".join([str(row["case"]), *(cells.settings(best, name)[0] for name in varying)])
    every = cells.counted(len(rows), "comparison")
    count = f"; faster in {rows['by'].notna().sum():,} of {every}" * (len(rows) > 1)
    note = f"{cells.ratio(row)} times as fast as its default in {where}{count}"
    return Line(f"{title}, other settings", str(row["by"]), note)
