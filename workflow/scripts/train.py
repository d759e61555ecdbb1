"""Rule train: one run of one configuration, measured on a machine held for it alone."""

import json
import os
import sys
import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from trainmark.analyse.across.enough import NOT_NEEDED, reason_to_stop
from trainmark.data import unavailable
from trainmark.errors import one_line_errors
from trainmark.machine.disturbances import Limits
from trainmark.machine.gpu import for_device, lacking
from trainmark.runs.launch import CannotStart
from trainmark.runs.measure import Patience, leave_out, measure
from trainmark.runs.record import sentence

snakemake: Any  # put here by Snakemake

TIMEOUT_SECONDS = 3600.0
REASON_LENGTH = 300


def complete(
    settings: Mapping[str, Any], machine: Mapping[str, Any], data: str | None, reference: str | None
) -> dict[str, Any]:
    """The job: the settings that define the measurement, and what belongs to this machine."""
    return {
        **settings,
        "threads": machine.get("threads", len(os.sched_getaffinity(0))),
        "timeout_seconds": machine.get("timeout_seconds", TIMEOUT_SECONDS),
        "data": data and str(Path(data).absolute()),
        "reference": reference and str(Path(reference).absolute()),
    }


def read_lock(path: str | None, environment: str) -> dict[str, Any]:
    """The installed lock; nothing is prepared for a run that the study leaves out."""
    if path is None:
        return {"environment": environment, "status": "unavailable", "reason": "not asked for"}
    lock: dict[str, Any] = json.loads(Path(path).read_text(encoding="utf-8"))
    return lock


def why_without_data(job: Mapping[str, Any]) -> str | None:
    """Why the data set of a job can't be had, in one line; None where it can, or isn't read."""
    reason = unavailable.reason(Path(job["data"])) if job["data"] else None
    return reason and textwrap.shorten(f"no {job['dataset']}: {reason}", REASON_LENGTH)


def why_not_needed(earlier: Sequence[str], enough_percent: float | None) -> str | None:
    """Why the repeats before this one are enough, by their run.json; None where they aren't."""
    if enough_percent is None:
        return None
    records = [json.loads(Path(path).read_text(encoding="utf-8")) for path in earlier]
    return reason_to_stop(records, enough_percent)


def main(
    job: Mapping[str, Any],
    lock: Mapping[str, Any],
    not_needed: str | None,
    excluded: str | None,
    limits: Limits,
    patience: Patience,
    folder: Path,
    log: Path,
) -> None:
    """Measure the job, or write down why it can't or shan't be."""
    with log.open("w", encoding="utf-8") as stream:

        def say(line: str) -> None:
            for place in (stream, sys.stderr):
                print(f"trainmark: {line}", file=place, flush=True)

        if excluded:
            leave_out(job, lock, folder, "unsupported", f"left out by the study: {excluded}")
        elif reason := lacking(job["device"], for_device(job["device"])):
            leave_out(job, lock, folder, "unavailable", reason)
        elif lock["status"] == "unavailable":
            leave_out(job, lock, folder, "unavailable", lock["reason"])
        elif reason := why_without_data(job):
            leave_out(job, lock, folder, "unavailable", reason)
        elif not_needed:
            leave_out(job, lock, folder, NOT_NEEDED, not_needed)
        else:
            try:
                measure(job, lock, folder, limits, patience, say)
            except CannotStart as error:
                leave_out(job, lock, folder, "failed", str(error))
        say(sentence(json.loads((folder / "run.json").read_text(encoding="utf-8"))))


if __name__ == "__main__":
    machine = snakemake.config.get("machine", {})
    settings = json.loads(snakemake.params.job)
    given = snakemake.input.get
    with one_line_errors():
        main(
            complete(settings, machine, given("data"), given("reference")),
            read_lock(given("lock"), settings["environment"]),
            why_not_needed(given("earlier", []), snakemake.params.enough_percent),
            snakemake.params.excluded,
            Limits(**machine.get("limits", {})),
            Patience(**machine.get("patience", {})),
            Path(snakemake.output.run).parent,
            Path(snakemake.log[0]),
        )
