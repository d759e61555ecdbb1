"""What a study's page says first: its title, badges, and three answers."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import pandas as pd

from trainmark.analyse.compare.own_loops import own_log
from trainmark.analyse.compare.statistics import FEWEST_REPEATS
from trainmark.analyse.sets.merged import origin
from trainmark.report.page.evidence import parity_errors
from trainmark.report.page.leaders import Leaders
from trainmark.report.page.runs import measured
from trainmark.report.words import cells
from trainmark.runs.outcome import FAILURES
from trainmark.study import builds, plugins
from trainmark.study.stages import is_runtime

WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
MOST_LINES = 4
MOST_NAMED = 6


class Line(NamedTuple):
    """A line of an answer: what it is about, the answer, and what a reader must know beside it."""

    about: str
    answer: str
    note: str


class Badge(NamedTuple):
    """A number that says how sure the results are; `target` is the evidence's place on the page."""

    name: str
    text: str
    is_good: bool
    target: str


def title(compared: pd.DataFrame, measurements: pd.DataFrame, ok: int) -> str:
    """What was measured, in a line; `ok` is the number of runs with status ok."""
    metrics = compared["metric"].unique()
    names = [plugins.facts("metric", metric)["TITLE"].lower() for metric in metrics]
    what = _and(names)
    valued = (compared["n"] > 0).groupby(compared["framework"]).any()
    is_equal = len(valued) > 1 and bool(valued.all()) and 0 < len(parity_errors(measurements)) == ok
    return f"{what.capitalize()} of {_trainers(compared)}{' on the same work' * is_equal}"


def _is_runtime(adapter: str) -> bool:
    """Whether it is one of our runtimes: archives have adapters of others, too."""
    return adapter in plugins.names("framework") and is_runtime(adapter)


def _trainers(compared: pd.DataFrame) -> str:
    """Frameworks, releases, own loops and runtimes: the name of one, else their numbers."""
    entries = compared.drop_duplicates("framework")
    if len(entries) == 1:
        return cells.framework_titles(entries)[0]
    kinds = {
        "release": entries["environment"].map(builds.release).notna(),
        "own loop": entries["adapter"].map(own_log).notna(),
        "runtime": entries["adapter"].map(_is_runtime),
    }
    others = entries[~pd.concat(kinds, axis="columns").any(axis="columns")]
    numbers = {name: int(is_of_kind.sum()) for name, is_of_kind in kinds.items()}
    counts = [cells.counted(n, name, _word(n)) for name, n in numbers.items() if n]
    return _and([*_frameworks(others), *counts])


def _frameworks(entries: pd.DataFrame) -> list[str]:
    """Their number, with that of their settings where some have several; nothing without any."""
    count, settings = entries["adapter"].nunique(), len(entries)
    named = cells.counted(count, "framework", _word(count))
    with_settings = f"{named} in {_word(settings)} settings"
    return [with_settings if settings > count else named] * (count > 0)


def _and(parts: Sequence[str]) -> str:
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def _word(number: int) -> str:
    return WORDS[number] if number < len(WORDS) else f"{number:,}"


def facts(compared: pd.DataFrame, records: Sequence[Mapping[str, Any]]) -> list[str]:
    """When and how much was measured, and by which versions of trainmark."""
    begun = [record for record in records if record["attempts"]]
    days = sorted({str(record["provenance"]["started"])[:10] for record in begun})
    dates = [f"{day:%-d %B %Y}" for day in pd.to_datetime([*days[:1], *days[-1:]])]
    counts = {"case": compared["case"].nunique(), "configuration": len(compared), "run": len(begun)}
    return [
        " to ".join(dict.fromkeys(dates)) or "no run began",
        *(cells.counted(n, name) for name, n in counts.items()),
        f"trainmark {origin(records)['trainmark']}",
    ]


def badges(
    compared: pd.DataFrame, measurements: pd.DataFrame, records: Sequence[Mapping[str, Any]]
) -> Iterator[Badge]:
    """Equal work, quiet runs, repeats, values and remarks, in numbers."""
    ok = measured(records)
    proven = len(parity_errors(measurements))
    quiet = sum(not record["disturbed"] for record in ok)
    valued = compared[compared["n"] > 0]
    repeats = int(valued["n"].min()) if len(valued) else 0
    remarks = int(valued["remark"].notna().sum())
    yield Badge("parity", f"{proven}/{len(ok)}", 0 < proven == len(ok), "checks")
    yield Badge("quiet", f"{quiet}/{len(ok)}", 0 < quiet == len(ok), "checks")
    yield Badge("repeats", str(repeats), repeats >= FEWEST_REPEATS, "checks")
    yield Badge("values", f"{len(valued)}/{len(compared)}", len(valued) == len(compared), "results")
    if remarks:
        yield Badge("remarks", str(remarks), False, "results")


def fastest(comparisons: Sequence[Leaders]) -> list[Line]:
    """Which framework is fastest: point by point or, where these are many, by framework."""
    valued = [each for each in comparisons if each.compared]
    if len(valued) <= MOST_LINES:
        return [Line(point.where, point.fastest, point.certainty) for point in valued]
    cases: dict[tuple[int, str, str], list[str]] = {}
    for point in valued:
        cases.setdefault(_in_short(point), []).append(point.case)
    every = cells.counted(len(valued), "comparison")
    ordered = sorted(cases.items(), key=lambda answer: (answer[0][0], -len(answer[1])))
    return [
        Line(_named(named), answer, f"{certainty} in {len(named):,} of {every}".strip())
        for (_, answer, certainty), named in ordered
    ]


def _in_short(point: Leaders) -> tuple[int, str, str]:
    """An answer that several comparisons may have: its rank on the page, and how sure it is."""
    if point.compared == 1:
        return 3, "Not compared", ""
    if point.repeats == 1:
        return 1, point.names[0], "highest of one run each, without an interval,"
    if point.is_significant:
        return 0, point.names[0], "significantly fastest"
    return 2, f"Not distinguishable{' or without an interval' * point.lacks_interval}", ""


def _named(cases: Sequence[str]) -> str:
    """Each case once, with the number of its settings if there are several."""
    counts = pd.Series(cases).value_counts(sort=False)
    named = [f"{case} ({n} settings)" if n > 1 else str(case) for case, n in counts.items()]
    more = [f"and {len(named) - MOST_NAMED} more"] * (len(named) > MOST_NAMED)
    return ", ".join([*named[:MOST_NAMED], *more])


def same_work(measurements: pd.DataFrame, ok: int) -> Iterator[Line]:
    """Whether frameworks did the same work: errors against the reference, accuracies by case."""
    errors = parity_errors(measurements)
    about = f"{len(errors):,} of {cells.counted(ok, 'measured run')}"
    if errors.empty:
        yield Line(about, "Not checked", "no run was compared with the reference")
    else:
        worst = errors.nlargest(1, "value").iloc[0]
        name = cells.framework_title(worst["framework"], worst["adapter"])
        note = f"worst relative error {worst['value']:.1e} ({name}, {worst['case']})"
        yield Line(about, "Yes" if len(errors) == ok else "Those that were checked", note)
    accuracies = measurements[measurements["metric"] == "accuracy_top1"].dropna(subset=["value"])
    ends = accuracies.groupby("case", sort=False)["value"].agg(["min", "max"])
    if len(ends) < MOST_LINES:
        for case, lowest, highest in ends.itertuples():
            texts = dict.fromkeys(f"{end:.2f}" for end in (lowest, highest))
            yield Line(str(case), f"{' to '.join(texts)} %", "top-1 accuracy, in all runs")
    else:
        spreads = ends["max"] - ends["min"]
        note = f"largest difference of top-1 accuracy within a case, {spreads.idxmax()}"
        yield Line(f"{len(ends):,} cases", f"{spreads.max():.2f} percentage points", note)


def trusted(compared: pd.DataFrame, records: Sequence[Mapping[str, Any]]) -> Iterator[Line]:
    """Whether the numbers can be trusted: disturbances, missing values, remarks."""
    yield _disturbances(measured(records))
    lacking = compared[compared["n"] == 0]
    if len(lacking):
        about = f"{len(lacking):,} of {cells.counted(len(compared), 'configuration')}"
        yield Line(about, "No value", missing(lacking))
    remarked = compared[(compared["n"] > 0) & compared["remark"].notna()]
    shown = remarked.head(MOST_LINES - 2)
    for row, name in zip(shown.itertuples(), cells.framework_titles(shown), strict=True):
        yield Line(f"{name}, {row.case}", "Remark", str(row.remark))
    if len(remarked) > len(shown):
        yield Line(f"and {len(remarked) - len(shown):,} more", "Remarks", "in the results below")


def _disturbances(ok: Sequence[Mapping[str, Any]]) -> Line:
    if not ok:
        return Line("0 measured runs", "Nothing measured", "no run ended well")
    disturbed = sum(bool(record["disturbed"]) for record in ok)
    again = sum(record["attempts"] > 1 for record in ok)
    about = f"{len(ok) - disturbed:,} of {cells.counted(len(ok), 'measured run')}"
    attempts = f"{again:,} of them after further attempts" if again else "all at the first attempt"
    if not disturbed:
        return Line(about, "Quiet", attempts)
    note = f"{disturbed:,} disturbed in every attempt: measure them again for a verdict"
    return Line(about, "Quiet in part" if disturbed < len(ok) else "Not quiet", note)


def missing(lacking: pd.DataFrame) -> str:
    """The reasons why configurations have no value, failures always first."""
    statuses = pd.Series([cells.status(row) for row in lacking.itertuples()])
    titles = zip(cells.framework_titles(lacking), lacking["case"], strict=True)
    named = statuses.radd([f"{framework} in {case}: " for framework, case in titles])
    failed = lacking["status"].isin(FAILURES).to_numpy()
    parts = [cells.commonest(part) for part in (named[failed], statuses[~failed]) if len(part)]
    return "; ".join(parts).rstrip(".")
