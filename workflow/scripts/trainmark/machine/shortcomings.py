"""What a study asks of this machine that it hasn't, told before anything runs."""

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from trainmark.machine.gpu import for_device, lacking
from trainmark.study import machines, mirrors, places
from trainmark.study.planned_run import PlannedRun


def shortcomings(
    runs: Iterable[PlannedRun], config: Mapping[str, Any], measures_here: bool
) -> Iterator[str]:
    """A line each for machines, GPUs, cores and mirrors that aren't there; `config` is complete.

    GPUs are looked for where a run asks for one, and neither they nor cores where the runs are to
    be measured elsewhere, on the nodes of a cluster, or where none is left to be measured. Of a
    data set that was obtained before no mirror is asked any more.
    """
    wanted = [run for run in runs if run.takes_place]
    if measures_here:
        yield from _of_machines(wanted)
        yield from _of_devices(wanted)
        yield from _of_threads(wanted, config)
    datasets = dict.fromkeys(run.settings["dataset"] for run in wanted if run.reads_data)
    records = {name: Path(places.source_record(name)) for name in datasets}
    absent = [name for name, record in records.items() if not record.exists()]
    yield from mirrors.missing(config["machine"]["mirrors"], absent)


def _of_machines(wanted: Sequence[PlannedRun]) -> Iterator[str]:
    names = dict.fromkeys(str(run.settings["machine_name"]) for run in wanted)
    if len(names) > 1:
        yield (
            f"machines: {', '.join(names)} are all measured on this one; name an executor that "
            "finds them, or one machine as target: snakemake on_<name> (docs/cluster.md)"
        )


def _of_devices(wanted: Sequence[PlannedRun]) -> Iterator[str]:
    for device, count in Counter(run.settings["device"] for run in wanted).items():
        if reason := lacking(device, for_device(device)):
            yield f"{reason}: its {count} runs will be unavailable"


def _of_threads(wanted: Sequence[PlannedRun], config: Mapping[str, Any]) -> Iterator[str]:
    told: dict[str, int | None] = {}
    for name in dict.fromkeys(run.settings["machine_name"] for run in wanted):
        is_own = "threads" in config["machines"].get(name, {})
        where = f"machines.{name}.threads" if is_own else "machine.threads"
        told[where] = machines.settings(config, {"machine_name": name}).get("threads")
    counts = dict.fromkeys(run.settings["thread_count"] for run in wanted)
    asked = [*told.items(), *(("threads", count) for count in counts if count != "all")]
    cores = len(os.sched_getaffinity(0))
    for where, threads in asked:
        if threads and threads > cores:
            yield f"{where}: {threads} threads for the {cores} cores that there are here"
