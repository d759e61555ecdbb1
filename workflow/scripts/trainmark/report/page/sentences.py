"""Three sentences on a study's results, made from its measurements."""

from collections.abc import Iterator, Mapping, Sequence

import pandas as pd

from trainmark.analyse.compare.own_loops import own_log
from trainmark.analyse.compare.pairs import FASTEST, NOT_DISTINGUISHABLE, beside_the_fastest
from trainmark.report.words import cells
from trainmark.runs.outcome import FAILURES
from trainmark.study.axes import POINT

MOST_NAMED = 6


def sentences(measurements: pd.DataFrame, days: list[str]) -> list[str]:
    """Three sentences: the measured runs, the significantly fastest framework, missing values."""
    compared = beside_the_fastest(measurements)
    return [
        _measured(compared, days),
        _fastest(compared) + _disturbed(compared),
        _missing(compared),
    ]


def _measured(compared: pd.DataFrame, days: list[str]) -> str:
    runs = int(compared["repeats"].sum())
    cases = compared["case"].nunique()
    when = f" on {days[0]}" if len(days) == 1 else f" from {days[0]} to {days[-1]}" if days else ""
    return (
        f"Measured: {_trainers(compared)} in {_counted(cases, 'case')}, "
        f"{_counted(len(compared), 'configuration')} and {_counted(runs, 'run')}, "
        f"on {cells.machines(compared)}{when}."
    )


def _trainers(compared: pd.DataFrame) -> str:
    """The numbers of frameworks and of frameworks' own loops, in words."""
    entries = compared.drop_duplicates("framework")
    loops = int(entries["adapter"].map(own_log).notna().sum())
    counted = {"framework": len(entries) - loops, "own loop": loops}
    return " and ".join(_counted(n, name) for name, n in counted.items() if n)


def _fastest(compared: pd.DataFrame) -> str:
    """The significantly fastest framework in each case and setting, or the candidates for it."""
    if compared["n"].max() == 1:
        return (
            "No framework is significantly fastest: one run of each configuration has no interval."
        )
    leading: dict[str, list[str]] = {}
    undecided: dict[str, list[str]] = {}
    for _, group in compared[compared["n"] > 0].groupby(list(POINT), sort=False):
        best = group[group["verdict"] == FASTEST]
        name = cells.framework_titles(best)[0]
        if len(group) > 1 and (group["verdict"] != NOT_DISTINGUISHABLE).all():
            leading.setdefault(name, []).append(str(best["case"].iloc[0]))
        elif len(group) > 1:
            first = pd.concat([best, group[group["verdict"] == NOT_DISTINGUISHABLE]])
            names = " or ".join(cells.framework_titles(first))
            undecided.setdefault(str(group["case"].iloc[0]), []).append(names)
    leaders = [f"{name} in {_named(cases)}" for name, cases in leading.items()]
    fastest = "No framework is significantly fastest anywhere."
    if leaders:
        fastest = f"Significantly fastest: {'; '.join(leaders)}."
    rivals = f" The fastest are not distinguishable in {_rivals(undecided)}." if undecided else ""
    return fastest + rivals


def _disturbed(compared: pd.DataFrame) -> str:
    """How many runs were never quiet, on which verdicts may depend; empty where all were."""
    measured = compared[compared["n"] > 0]
    disturbed, runs = (int(measured[name].sum()) for name in ("disturbed", "repeats"))
    if not disturbed:
        return ""
    return (
        f" {disturbed} of {_counted(runs, 'run')} were disturbed: measure them again for a verdict."
    )


def _named(cases: list[str]) -> str:
    """Each case once, with the number of its settings if there are several."""
    counts = pd.Series(cases).value_counts(sort=False)
    return _first_of(
        [f"{case} ({n} settings)" if n > 1 else str(case) for case, n in counts.items()]
    )


def _rivals(undecided: Mapping[str, Sequence[str]]) -> str:
    """Each case once, with the candidates or, for several settings, their number."""
    return _first_of(
        [
            f"{case} ({names[0] if len(names) == 1 else f'{len(names)} settings'})"
            for case, names in undecided.items()
        ]
    )


def _first_of(named: Sequence[str]) -> str:
    more = [f"and {len(named) - MOST_NAMED} more"] * (len(named) > MOST_NAMED)
    return ", ".join([*named[:MOST_NAMED], *more])


def _missing(compared: pd.DataFrame) -> str:
    """The number of configurations without a value, with the reasons, failures always first."""
    lacking = compared[compared["n"] == 0]
    if lacking.empty:
        return "Every configuration has a value."
    statuses = pd.Series([cells.status(row) for row in lacking.itertuples()])
    named = statuses.radd([f"{name}: " for name in _names(lacking)])
    failed = lacking["status"].isin(FAILURES).to_numpy()
    parts = [cells.commonest(part) for part in (named[failed], statuses[~failed]) if len(part)]
    reasons = "; ".join(parts).rstrip(".")
    return (
        f"{_counted(len(lacking), 'configuration')} of {len(compared)} "
        f"{'has' if len(lacking) == 1 else 'have'} no value: {reasons}."
    )


def _names(configurations: pd.DataFrame) -> Iterator[str]:
    titles = zip(cells.framework_titles(configurations), configurations["case"], strict=True)
    return (f"{framework} in {case}" for framework, case in titles)


def _counted(count: int, name: str) -> str:
    return f"{count:,} {name}{'s' if count != 1 else ''}"
