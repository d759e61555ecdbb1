"""The evidence for a study's results on its page: machines, versions, and what was checked."""

from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean
from typing import Any

import pandas as pd

from trainmark.analyse.compare.host_speeds import METRICS
from trainmark.analyse.run.hardware import gpus_in_words, memory_in_words, nodes
from trainmark.report.page.runs import measured
from trainmark.report.words import cells
from trainmark.runs.formats import OF_HOSTS
from trainmark.study import plugins
from worker.devices import shape

UNKNOWN = "unknown"
SPEEDS = {"host_gflops": "gflops", "host_bandwidth": "gigabytes_per_second"}
"""Metrics of the machine's own speed, and their names in a record's `host_speed`."""


def machines(compared: pd.DataFrame, records: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Each machine of the study: its title (hardware), and its facts by their names.

    A machine that measured nothing is left out, unless none did. The facts are those of a run that
    used the most GPUs; its own speed is that before the runs with the most threads.
    """
    by_name: dict[str, list[Mapping[str, Any]]] = {}
    for record in measured(records) or records:
        by_name.setdefault(str(record["job"]["machine_name"]), []).append(record)
    return [
        {
            "title": f"{name}: " * (len(by_name) > 1)
            + cells.machines(compared[compared["machine_name"] == name]),
            "facts": dict(_of_machine(of_machine)),
        }
        for name, of_machine in by_name.items()
    ]


def _of_machine(records: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
    origins = [record["provenance"] for record in records]
    yield from _facts(max(origins, key=lambda origin: len(_gpus(origin))))
    known = [record for record in records if record["host_speed"]]
    if known:
        yield from _own_speed(known)
    yield "trainmark", _trainmark(origins)


def _own_speed(records: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
    """The machine's own speed: mean, lowest and highest before the runs with the most threads.

    That of a run on several nodes is their sum, so those on the fewest count.
    """
    sizes = [(-shape(run["job"]["device"])[1], run["job"]["threads"]) for run in records]
    speeds = [
        run["host_speed"] for run, size in zip(records, sizes, strict=True) if size == max(sizes)
    ]
    for metric, name in SPEEDS.items():
        values = [speed[name] for speed in speeds]
        mean = f"{cells.number(metric, fmean(values))} {cells.unit(metric)}"
        span = _span(values, plugins.facts("metric", metric)["NUMBER_FORMAT"])
        yield METRICS[metric], f"{mean} before the runs ({span})"


def _facts(origin: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    host = origin["host"]
    memory, clock = host.get("memory_bytes"), host.get("clock_megahertz")
    yield from ((name, str(host[name])) for name in OF_HOSTS if host[name])
    yield "memory", memory_in_words(memory) if memory else UNKNOWN
    yield "GPU", gpus_in_words(_gpus(origin)) or "none used"
    yield "system", str(host.get("system") or UNKNOWN)
    yield "kernel", str(host.get("kernel") or UNKNOWN)
    yield "clock", f"{clock:,.0f} MHz when a run began" if clock else UNKNOWN


def _gpus(origin: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """All GPUs that a run used, on all of its nodes."""
    return [gpu for node in nodes(origin) for gpu in node["gpus"]]


def _trainmark(origins: Sequence[Mapping[str, Any]]) -> str:
    """The versions and revisions of trainmark that measured."""
    versions = dict.fromkeys(str(origin["trainmark"]) for origin in origins)
    revisions = dict.fromkeys(_revision(origin["revision"]) for origin in origins)
    return f"{', '.join(versions)}, revision {', '.join(revisions)}"


def _revision(revision: str | None) -> str:
    """The beginning of a revision, and whether files differ from it."""
    commit, dirty, _ = (revision or UNKNOWN).partition("-dirty")
    return f"{commit[:7]}{dirty}"


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
    ok = measured(records)
    return [
        _equal_work(measurements, len(ok)),
        _clock(ok),
        _quiet(ok),
        _repeats(compared),
    ]


def _equal_work(measurements: pd.DataFrame, ok: int) -> dict[str, str]:
    errors = parity_errors(measurements)["value"]
    return {
        "name": "Equal work",
        "number": f"{errors.max():.1e}" if len(errors) else "not checked",
        "unit": "worst relative error",
        "text": f"{len(errors):,} of {cells.counted(ok, 'measured run')} matched a float64 "
        "reference before they were timed: predictions and, in training, loss, gradients, update "
        "and momentum. A run beyond a tolerance fails.",
    }


def _clock(ok: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    windows = [record["window"] for record in ok if record.get("window")]
    lengths = [window["end_seconds"] - window["start_seconds"] for window in windows]
    return {
        "name": "One clock",
        "number": _span(lengths, "{:,.1f}") or "no window",
        "unit": "seconds of a timed window",
        "text": "One runner times the frameworks, and waits for the device at both ends of the "
        "window; browsers and caffe train time themselves. Compilation and warm-up are left out.",
    }


def _quiet(ok: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    loads = [record["load"] for record in ok if record.get("load")]
    others_cores = [(load.get("other_cpu") or 0.0) + (load.get("steal") or 0.0) for load in loads]
    return {
        "name": "Quiet machine",
        "number": f"{max(others_cores):.3f}" if others_cores else "not known",
        "unit": "cores, the most that others and the hypervisor took",
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
        "text": f"At most {cells.counted(most, 'repeat')} of a configuration, interleaved, each a "
        "process of its own. Only where the interval of a ratio excludes 1 is one faster.",
    }


def parity_errors(measurements: pd.DataFrame) -> pd.DataFrame:
    """The parity errors (`value`) of the runs that are ok and were compared with a reference."""
    errors = measurements[measurements["metric"] == "parity_error"]
    return errors[errors["status"] == "ok"].dropna(subset=["value"])


def _span(numbers: Any, form: str) -> str:
    """The smallest and the largest number, once where they look the same; empty without any."""
    if not len(numbers):
        return ""
    ends = (form.format(number) for number in (min(numbers), max(numbers)))
    return " to ".join(dict.fromkeys(ends))
