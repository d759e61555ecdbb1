"""Result sets of several sources, merged by their hardware, not by the names of their machines.

A configuration that two sources measured on the same machine (by the names that processor, cores
and GPUs report, not by the study's name) is one configuration with two values. A run that two
sources contain is one run.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from trainmark.analyse.compare.comparison import differences
from trainmark.analyse.compare.configurations import main_rows, main_values
from trainmark.analyse.compare.pairs import compared
from trainmark.analyse.published.result_sets import AS_PUBLISHED
from trainmark.analyse.run.hardware import nodes
from trainmark.analyse.sets.adopted import BY_ITS_LOG
from trainmark.analyse.sets.result_set import ResultSet
from trainmark.runs.formats import Record
from trainmark.study.axes import HOST_DEFAULTS, KEY, key

WORK = tuple(name for name in (*KEY, "dataset", "network") if name not in HOST_DEFAULTS)
"""The columns of a configuration's work, without its machine's name, which each source chooses."""
SAME = (*WORK, "adapter", "machine", "by_log", "as_published")
"""Rows of several sources that agree in these columns are one configuration."""
SAME_RUN = (*WORK, "machine", "repeat", "status", "value")
"""Rows of a main metric that agree in these columns are one run: values have all their digits."""
BESIDE = ("sources", "beside", "ratio", "low", "high", "verdict", "differences")
ORDER = ["case", "framework", "device", "machine", "source"]

Explained = Callable[[pd.Series, pd.Series], str | None]


def merged(sets: Sequence[ResultSet]) -> pd.DataFrame:
    """One row per configuration and source; runs that an earlier source has are left out.

    Columns: those of `main_values`; source (its number, from 1); by_log and as_published (whether
    the value is from an adopted log, or a published study); sources (how many have a value of the
    same configuration on the same machine); and, in rows of later ones of these: beside (the number
    of the first), ratio (how many times better than the first), low and high (its 95 % interval),
    verdict, and differences in the origin of the runs.
    """
    parts = [main_values(runs).assign(source=n) for n, runs in enumerate(_own_runs(sets), start=1)]
    table = pd.concat([part for part in parts if len(part)] or parts[:1], ignore_index=True)
    table["by_log"] = [BY_ITS_LOG in str(remark) for remark in table["remark"]]
    table["as_published"] = [AS_PUBLISHED in str(remark) for remark in table["remark"]]
    origins = [_by_key(each.records) for each in sets]

    def explained(row: pd.Series, first: pd.Series) -> str | None:
        now, before = (
            origins[each["source"] - 1].get(key(each.to_dict()), []) for each in (row, first)
        )
        return next(iter(differences(now, before).values()), None)

    groups = table.groupby(list(SAME), sort=False, dropna=False)
    rows = {index: row for _, group in groups for index, row in _beside(group, explained)}
    beside = pd.DataFrame(list(rows.values()), index=list(rows), columns=list(BESIDE))
    ordered = table.join(beside.astype({"beside": "Int64"}))
    return ordered.sort_values(ORDER, kind="stable", ignore_index=True)


def sources(sets: Sequence[ResultSet]) -> pd.DataFrame:
    """One row per source: its origin, its number of runs, and how many an earlier source has.

    Columns: source, place, hosts, measured (the first and the last day), trainmark (versions),
    runs, values (the number of runs with a value), and known (how many of these values an earlier
    source has). Hosts, days and versions are empty for sources without records.
    """
    rows = []
    for number, (each, new_runs) in enumerate(zip(sets, _own_runs(sets), strict=True), start=1):
        values = main_rows(each.measurements)["value"]
        counts = {"runs": len(values), "values": values.count()}
        known = values.count() - new_runs["value"].count()
        facts = origin(each.records)
        rows.append({"source": number, "place": each.place, **facts, **counts, "known": known})
    return pd.DataFrame(rows)


def origin(records: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """The hosts, the first and last day, and the versions of trainmark of some runs."""
    origins = [record["provenance"] for record in records]
    days = sorted({str(each["started"])[:10] for each in origins})
    return {
        "hosts": _listed(node["host"]["hostname"] for each in origins for node in nodes(each)),
        "measured": " to ".join(dict.fromkeys([*days[:1], *days[-1:]])),
        "trainmark": _listed(each["trainmark"] for each in origins),
    }


def _listed(names: Iterator[Any]) -> str:
    return ", ".join(sorted({str(name) for name in names if name}))


def _own_runs(sets: Sequence[ResultSet]) -> Iterator[pd.DataFrame]:
    """The main values of each source, without the runs that an earlier source has.

    A run without a value doesn't show which source it is of: it counts again where its source has
    a new value of its configuration.
    """
    seen: set[tuple[str, ...]] = set()
    for each in sets:
        runs = main_rows(each.measurements)
        keys = list(zip(*(runs[name].astype(str) for name in SAME_RUN), strict=True))
        is_new = pd.Series([key not in seen for key in keys], index=runs.index, dtype=bool)
        configuration = [runs[name].astype(str) for name in (*WORK, "machine")]
        has_new_value = (is_new & runs["value"].notna()).groupby(configuration).transform("any")
        yield runs[is_new | (has_new_value & runs["value"].isna())]
        seen.update(keys)


def _by_key(records: Iterable[Record]) -> dict[tuple[str, ...], list[Record]]:
    """The records by configuration, each without its machine's name.

    So machines with different names can be compared.
    """
    by_key: dict[tuple[str, ...], list[Record]] = {}
    for record in records:
        unnamed = {**record, "job": {**record["job"], **HOST_DEFAULTS}}
        by_key.setdefault(key(record["job"]), []).append(unnamed)
    return by_key


def _beside(group: pd.DataFrame, explained: Explained) -> Iterator[tuple[Any, dict[str, Any]]]:
    """The columns BESIDE of each row of one configuration on one machine.

    Rows are compared with the first row that has a value.
    """
    valued = group[group["n"] > 0]
    for index, row in group.iterrows():
        columns: dict[str, Any] = {"sources": valued["source"].nunique()}
        if row["n"] and row["source"] != valued["source"].iloc[0]:
            first = valued.iloc[0]
            columns |= compared(row, first)
            columns |= {"beside": first["source"], "differences": explained(row, first)}
        yield index, columns
