"""What a study asks of this machine that it hasn't, told before anything runs."""

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from trainmark.machine.gpu import for_device, lacking
from trainmark.study import mirrors, places
from trainmark.study.planned_run import PlannedRun


def shortcomings(
    runs: Iterable[PlannedRun], machine: Mapping[str, Any], measures_here: bool
) -> Iterator[str]:
    """A line each for GPUs, cores and mirrors that aren't there; `machine`: the study's settings.

    GPUs are looked for where a run asks for one, and neither they nor cores where the runs are to
    be measured elsewhere, on the nodes of a cluster. Of a data set that was obtained before no
    mirror is asked any more.
    """
    wanted = [run for run in runs if not run.excluded]
    if measures_here:
        yield from _of_devices(wanted, machine)
    datasets = dict.fromkeys(run.settings["dataset"] for run in wanted if run.reads_data)
    records = {name: Path(places.source_record(name)) for name in datasets}
    absent = [name for name, record in records.items() if not record.exists()]
    yield from mirrors.missing(machine["mirrors"], absent)


def _of_devices(wanted: Sequence[PlannedRun], machine: Mapping[str, Any]) -> Iterator[str]:
    for device, count in Counter(run.settings["device"] for run in wanted).items():
        if reason := lacking(device, for_device(device)):
            yield f"{reason}: its {count} runs will be unavailable"
    cores = len(os.sched_getaffinity(0))
    if (threads := machine.get("threads", cores)) > cores:
        yield f"machine.threads: {threads} threads for the {cores} cores that there are here"
    counts = dict.fromkeys(run.settings["thread_count"] for run in wanted)
    for count in counts:
        if count != "all" and count > cores:
            yield f"threads: {count} threads for the {cores} cores that there are here"
