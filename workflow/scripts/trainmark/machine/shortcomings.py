"""Shortcomings of this machine for a study, known before anything runs."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from trainmark.machine import cores
from trainmark.machine.gpu import for_device, lacking
from trainmark.study import machines, mirrors, paths
from trainmark.study.planned_run import PlannedRun


def shortcomings(
    requested: Iterable[PlannedRun], measured_here: Iterable[PlannedRun], config: Mapping[str, Any]
) -> Iterator[str]:
    """A message for each machine, GPU, core and mirror that is missing; `config` is complete.

    Machines, GPUs and cores are those of the runs that are still to be measured, and on this
    machine, not on the nodes of a cluster. A data set that is already here needs no mirror.
    """
    wanted = [run for run in requested if run.is_included]
    here = [run for run in measured_here if run.is_included]
    if len(_machines(wanted)) > 1 and here:
        yield (
            f"machines: the runs of {' and '.join(_machines(here))} are measured on this one; name "
            "an executor that finds the machines, or one machine as target: snakemake on_<name> "
            "(docs/guides/several-machines.md)"
        )
    yield from _of_devices(here)
    yield from _of_threads(here, config)
    datasets = dict.fromkeys(run.settings["dataset"] for run in wanted if run.reads_data)
    records = {name: Path(paths.source_record(name)) for name in datasets}
    absent = [name for name, record in records.items() if not record.exists()]
    yield from mirrors.missing(config["machine"]["mirrors"], absent)


def _machines(runs: Iterable[PlannedRun]) -> list[str]:
    return list(dict.fromkeys(str(run.settings["machine_name"]) for run in runs))


def _of_devices(runs: Iterable[PlannedRun]) -> Iterator[str]:
    for device, count in Counter(run.settings["device"] for run in runs).items():
        if reason := lacking(device, for_device(device)):
            yield f"{reason}: its {count} runs will be unavailable"


def _of_threads(runs: Sequence[PlannedRun], config: Mapping[str, Any]) -> Iterator[str]:
    settings: dict[str, int | None] = {}
    for name in _machines(runs):
        is_named = "threads" in config["machines"].get(name, {})
        where = f"machines.{name}.threads" if is_named else "machine.threads"
        settings[where] = machines.settings(config, {"machine_name": name}).get("threads")
    counts = dict.fromkeys(run.settings["thread_count"] for run in runs)
    all_settings = [*settings.items(), *(("threads", count) for count in counts if count != "all")]
    usable = cores.usable()
    for where, threads in all_settings:
        if threads and threads > usable:
            yield f"{where}: {threads} threads for the {usable} cores that there are here"
