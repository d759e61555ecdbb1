"""The evidence for a study's results on its page: machines, versions, and what was checked."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from trainmark.report.page.runs import GIBIBYTE
from trainmark.report.words import cells

UNKNOWN = "unknown"


def machines(compared: pd.DataFrame, records: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Each machine of the study: its title (hardware), and its facts by their names.

    A machine that measured nothing is left out, unless none did.
    """
    shown: dict[str, dict[str, Any]] = {}
    for record in sorted(records, key=lambda record: record["status"] != "ok"):
        name = str(record["job"]["machine_name"])
        if name not in shown and (record["status"] == "ok" or not shown):
            shown[name] = record["provenance"]
    return [
        {
            "title": f"{name}: " * (len(shown) > 1)
            + cells.machines(compared[compared["machine_name"] == name]),
            "facts": dict(_facts(origin)),
        }
        for name, origin in shown.items()
    ]


def _facts(origin: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    host = origin["host"]
    memory, clock = host.get("memory_bytes"), host.get("clock_megahertz")
    gpus = [str(gpu.get("name", gpu)) for gpu in origin.get("gpus") or []]
    names = "model", "vectors", "caches", "microcode", "hypervisor"
    yield from ((name, str(host[name])) for name in names if host[name])
    yield "memory", f"{memory / GIBIBYTE:.1f} GiB" if memory else UNKNOWN
    yield "GPU", ", ".join(gpus) or "none used"
    yield "system", str(host.get("system") or UNKNOWN)
    yield "kernel", str(host.get("kernel") or UNKNOWN)
    yield "clock", f"{clock:,.0f} MHz when the first run began" if clock else UNKNOWN
    yield "trainmark", f"{origin['trainmark']}, revision {(origin['revision'] or UNKNOWN)[:7]}"


def versions(records: Sequence[Mapping[str, Any]]) -> list[dict[str, str]]:
    """The version of each framework, and of the Python that it ran in."""
    shown: dict[tuple[str, str, str], None] = {}
    for record in records:
        if worker := record.get("worker"):
            title = cells.framework_title(record["job"]["framework"], record["job"]["adapter"])
            environment = record["provenance"].get("environment") or {}
            python = str(environment.get("python") or UNKNOWN)
            shown[title, str(worker.get("version") or UNKNOWN), python] = None
    return [dict(zip(("framework", "version", "python"), one, strict=True)) for one in shown]


def checks(
    compared: pd.DataFrame, measurements: pd.DataFrame, records: Sequence[Mapping[str, Any]]
) -> list[dict[str, str]]:
    """What was checked in each run: name, number, unit and meaning, in words."""
    measured = [record for record in records if record["status"] == "ok"]
    return [
        _equal_work(measurements, len(measured)),
        _clock(measured),
        _quiet(measured),
        _repeats(compared),
    ]


def _equal_work(measurements: pd.DataFrame, measured: int) -> dict[str, str]:
    errors = parity_errors(measurements)["value"]
    return {
        "name": "Equal work",
        "number": f"{errors.max():.1e}" if len(errors) else "not checked",
        "unit": "worst relative error",
        "text": f"{len(errors):,} of {_runs(measured)} matched a float64 reference before they "
        "were timed: predictions and, in training, loss, gradients, update and momentum. A run "
        "beyond a tolerance fails.",
    }


def _clock(measured: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    windows = [record["window"] for record in measured if record.get("window")]
    lengths = [window["end_seconds"] - window["start_seconds"] for window in windows]
    return {
        "name": "One clock",
        "number": _span(lengths, "{:,.1f}") or "no window",
        "unit": "seconds of a timed window",
        "text": "The same code times every framework, and waits for the device at both ends of "
        "the window. Compilation and warm-up are not in it.",
    }


def _quiet(measured: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    loads = [record["load"] for record in measured if record.get("load")]
    taken = [load.get(name) or 0.0 for load in loads for name in ("other_cpu", "steal")]
    return {
        "name": "Quiet machine",
        "number": f"{max(taken):.3f}" if taken else "not known",
        "unit": "cores, the most that others took",
        "text": "Other programs and the hypervisor were watched during each window. A run beyond "
        "a limit is measured again; if no attempt was quiet, it counts as disturbed.",
    }


def _repeats(compared: pd.DataFrame) -> dict[str, str]:
    widths = (100 * compared["half_width"] / compared["mean"]).dropna()
    most = int(compared["n"].max())
    return {
        "name": "Repeats",
        "number": f"± {_span(widths, '{:.0f}')} %" if len(widths) else "no interval",
        "unit": "95 % confidence interval of a mean",
        "text": f"Up to {most} repeats of each configuration, interleaved, each a process of its "
        "own. A verdict needs an interval of the ratio that excludes 1.",
    }


def parity_errors(measurements: pd.DataFrame) -> pd.DataFrame:
    """The parity errors (`value`) of the runs that are ok and were compared with a reference."""
    of_ok = measurements[measurements["status"] == "ok"]
    return of_ok[of_ok["metric"] == "parity_error"].dropna(subset=["value"])


def _runs(count: int) -> str:
    return f"{count:,} measured run{'s' * (count != 1)}"


def _span(numbers: Any, form: str) -> str:
    """The smallest and the largest number, once where they look the same; empty without any."""
    if not len(numbers):
        return ""
    ends = (form.format(number) for number in (min(numbers), max(numbers)))
    return " to ".join(dict.fromkeys(ends))
