"""Two result sets of one study: what changed in each configuration, and what may explain it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from trainmark.analyse.compare import measured_otherwise
from trainmark.analyse.compare.configurations import main_values
from trainmark.analyse.compare.pairs import RATIO_COLUMNS, compared
from trainmark.runs import formats
from trainmark.runs.formats import Record
from trainmark.study import case_settings, plugins
from trainmark.study.axes import CONFIGURATION, key
from trainmark.study.stages import main_metric

NEW, GONE = "new", "gone"
NOTABLE_CLOCK_CHANGE = 0.05  # of the CPU at the run's start, which always varies a little


def compare(
    now: pd.DataFrame, baseline: pd.DataFrame, explained: Mapping[tuple[str, ...], str]
) -> pd.DataFrame:
    """One row per configuration of either measurements, with how many times better it is now.

    Columns: those of a configuration, machine, metric (the main one), mean, n, mean_baseline,
    n_baseline, ratio (above 1 where it is better now), low and high (its 95 % interval), verdict
    (that of `pairs.verdict`, NEW, GONE, or both statuses where a value is missing), disturbed
    (number of runs) and differences (in provenance, which `explained` has by key, and the remark
    on the baseline).
    """
    sides = [main_values(table) for table in (now, baseline)]
    after, before = (dict(_by_key(side)) for side in sides)
    rows = [
        _row(after.get(each), before.get(each))
        | {"differences": _joined(explained.get(each), _remark_on(before.get(each)))}
        for each in dict.fromkeys([*after, *before])
    ]
    order = ["case", "framework", "device"]
    return pd.DataFrame(rows).sort_values(order, kind="stable", ignore_index=True)


OF_HOSTS = {f"host {name}": name for name in formats.OF_HOSTS}
"""What tells hosts with processors of one name apart, by names in words."""
POWER_LIMIT = "GPU power limit (W)"
SEPARATOR = "; "
"""Between the single differences of a text."""


def differences(now: Iterable[Record], baseline: Iterable[Record]) -> dict[tuple[str, ...], str]:
    """Differences in the origin of two result sets, by key: "driver 535 → 550; threads 2 → 4".

    They begin with what the later format of results measures otherwise.
    Takes the run.json of all runs. The first repeat of a configuration whose record has `worker`
    represents all its repeats.
    """
    after, before = _first_of_each(now), _first_of_each(baseline)
    changes = {
        each: SEPARATOR.join(_differences(before[each], record))
        for each, record in after.items()
        if each in before
    }
    return {each: text for each, text in changes.items() if text}


def shared_differences(texts: Iterable[str]) -> list[str]:
    """The single differences that all texts of `differences` have."""
    first, *others = [text.split(SEPARATOR) for text in texts] or [[]]
    return [part for part in first if part and all(part in parts for parts in others)]


def without(text: str, shared: Sequence[str]) -> str:
    """A text of `differences` without the single differences `shared`."""
    return SEPARATOR.join(part for part in text.split(SEPARATOR) if part not in shared)


def worsening(row: Any, tolerance_percent: float) -> str | None:
    """Why a row of `compare` is worse than the baseline; None where it isn't.

    It is worse without a speed, or with a significantly lower one. A configuration that is no
    longer in the study isn't worse.
    """
    if row.n_baseline and not row.n and row.verdict != GONE:
        return f"no speed any more: {row.verdict}"
    if row.verdict == "slower" and 100 * (1 - row.high) > tolerance_percent:
        return f"at least {100 * (1 - row.high):.1f} % slower"
    return None


def facts(record: Record) -> dict[str, Any]:
    """Facts of a run's origin and settings that can explain its speed, by name.

    Names of another node's facts begin with its number: "node 2: kernel".
    """
    provenance, worker = record["provenance"], record["worker"] or {}
    job = record["job"]
    of_others = {
        f"node {number}: {name}": fact
        for number, node in enumerate(provenance["nodes"], start=2)
        for name, fact in _of_node(node).items()
    }
    return {
        **_of_node(provenance),
        **of_others,
        "Python": provenance["environment"].get("python"),
        "version": worker.get("version"),
        "threads": worker.get("threads"),
        **worker.get("libraries", {}),
        **(_default_options(job["adapter"]) if worker else {}),
        **worker.get("flags", {}),
        **{name.replace("_", " "): job.get(name) for name in _settings()},
        **provenance["environment"].get("packages", {}),
    }


def _of_node(node: Record) -> dict[str, Any]:
    """Facts of a node's host and GPUs, by name."""
    host, gpus = node["host"], node["gpus"]
    return {
        "CPU": host["cpu"],
        **{name: host[fact] for name, fact in OF_HOSTS.items()},
        "cores": host["cores"],
        "clock (MHz)": host["clock_megahertz"],
        "governor": host["governor"],
        "kernel": host["kernel"],
        "GPUs": ", ".join(gpu["name"] for gpu in gpus) or None,
        "driver": gpus[0]["driver"] if gpus else None,
        POWER_LIMIT: gpus[0]["power_limit_watts"] if gpus else None,
    }


def _default_options(adapter: str) -> Mapping[str, Any]:
    """An adapter's options at their defaults, as they were where a record is older than one."""
    options: Mapping[str, Any] = plugins.facts_if_known("framework", adapter).get("OPTIONS", {})
    return options


def _settings() -> list[str]:
    """The names of settings that may explain a run's speed: all but the seed."""
    explaining = [name for name in case_settings.IN_JOB if name != "seed"]
    return [*explaining, "max_seconds", "options"]


def _row(now: pd.Series | None, baseline: pd.Series | None) -> dict[str, Any]:
    either = baseline if now is None else now
    assert either is not None
    return {
        **{name: either[name] for name in (*CONFIGURATION, "machine", "metric")},
        "mean": None if now is None else now["mean"],
        "n": 0 if now is None else now["n"],
        "mean_baseline": None if baseline is None else baseline["mean"],
        "n_baseline": 0 if baseline is None else baseline["n"],
        **_ratio(now, baseline),
        "disturbed": sum(side["disturbed"] for side in (now, baseline) if side is not None),
    }


def _ratio(now: pd.Series | None, baseline: pd.Series | None) -> dict[str, Any]:
    if now is None or baseline is None or not (now["n"] and baseline["n"]):
        return {**dict.fromkeys(RATIO_COLUMNS), "verdict": _why_none(now, baseline)}
    return compared(now, baseline)


def _remark_on(baseline: pd.Series | None) -> str | None:
    remark = None if baseline is None else baseline["remark"]
    return None if pd.isna(remark) else f"baseline: {remark}"


def _joined(*texts: str | None) -> str | None:
    return SEPARATOR.join(filter(None, texts)) or None


def _why_none(now: pd.Series | None, baseline: pd.Series | None) -> str:
    if baseline is None:
        return NEW
    if now is None:
        return GONE
    return " → ".join(dict.fromkeys((str(baseline["status"]), str(now["status"]))))


def _first_of_each(records: Iterable[Record]) -> dict[tuple[str, ...], Record]:
    first: dict[tuple[str, ...], Record] = {}
    for record in sorted(records, key=lambda record: record["worker"] is None):
        first.setdefault(key(record["job"]), record)
    return first


def _by_key(table: pd.DataFrame) -> Iterator[tuple[tuple[str, ...], pd.Series]]:
    for _, row in table.iterrows():
        yield key(row.to_dict()), row


def _differences(before: Record, after: Record) -> Iterator[str]:
    """What is measured otherwise in one of two runs of a configuration, and other origins."""
    metric = main_metric(after["job"]["stage"])
    yield from measured_otherwise.between(before["format"], after["format"], metric)
    yield from _changes(facts(before), facts(after))


def _changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    for name in dict.fromkeys([*before, *after]):
        old, new = before.get(name), after.get(name)
        fact = name.rpartition(": ")[2]
        # As in records of earlier formats.
        is_unknown = fact in (*OF_HOSTS, POWER_LIMIT) and None in (old, new)
        is_small = fact == "clock (MHz)" and _is_small(old, new)
        if old != new and not (is_unknown or is_small):
            yield f"{name} {old} → {new}"


def _is_small(old: float | None, new: float | None) -> bool:
    return old is not None and new is not None and abs(new / old - 1) < NOTABLE_CLOCK_CHANGE
