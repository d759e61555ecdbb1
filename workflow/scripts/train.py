"""Rule train: measure one run of one configuration while no other run is measured."""

import json
import os
import sys
import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from trainmark.data import unavailable
from trainmark.errors import one_line_errors
from trainmark.machine.disturbances import Limits
from trainmark.machine.gpu import for_device, lacking
from trainmark.runs.launch import CannotStart
from trainmark.runs.measure import Patience, leave_out, measure
from trainmark.runs.outcome import NOT_NEEDED
from trainmark.runs.record import sentence
from trainmark.runs.resume.finished import take_back
from trainmark.study.config import schemas

snakemake: Any  # put here by Snakemake

REASON_LENGTH = 300


def complete(
    settings: Mapping[str, Any], machine: Mapping[str, Any], data: str | None, reference: str | None
) -> dict[str, Any]:
    """The job: the settings that define the measurement, and what belongs to this machine."""
    return {
        **settings,
        "threads": machine.get("threads", len(os.sched_getaffinity(0))),
        "timeout_seconds": machine["timeout_seconds"],
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
    from trainmark.analyse.across.enough import reason_to_stop
    from trainmark.analyse.main_value import main_values

    values = [value for _, value in main_values(Path(path).parent for path in earlier)]
    return reason_to_stop(values, len(earlier), enough_percent)


def told(folder: Path) -> str:
    """What became of the run in a folder, in one line."""
    record = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    if record["status"] != "ok":
        return sentence(record)
    # Not before a run: to import it takes a second.
    from trainmark.analyse.main_value import shown

    return sentence(record, shown(folder))


def main(
    job: Mapping[str, Any],
    lock: Mapping[str, Any],
    code: str,
    not_needed: str | None,
    excluded: str | None,
    kept: bool,
    limits: Limits,
    patience: Patience,
    folder: Path,
    log: Path,
) -> None:
    """Measure the job, or record why it isn't measured."""
    with log.open("w", encoding="utf-8") as stream:

        def say(line: str) -> None:
            for place in (stream, sys.stderr):
                print(f"trainmark: {line}", file=place, flush=True)

        if kept:
            say("this run had finished when Snakemake was killed, and is kept")
        elif excluded:
            leave_out(job, lock, code, folder, "unsupported", f"left out by the study: {excluded}")
        elif reason := lacking(job["device"], for_device(job["device"])):
            leave_out(job, lock, code, folder, "unavailable", reason)
        elif lock["status"] == "unavailable":
            leave_out(job, lock, code, folder, "unavailable", lock["reason"])
        elif reason := why_without_data(job):
            leave_out(job, lock, code, folder, "unavailable", reason)
        elif not_needed:
            leave_out(job, lock, code, folder, NOT_NEEDED, not_needed)
        else:
            try:
                measure(job, lock, code, folder, limits, patience, say)
            except CannotStart as error:
                leave_out(job, lock, code, folder, "failed", str(error))
        say(told(folder))


if __name__ == "__main__":
    machine = schemas.complete(snakemake.config)["machine"]
    settings, code = json.loads(snakemake.params.job), snakemake.params.code
    given = snakemake.input.get
    read = [given(name) for name in ("lock", "reference", "data") if given(name)]
    folder = Path(snakemake.output.run).parent
    with one_line_errors():
        main(
            complete(settings, machine, given("data"), given("reference")),
            read_lock(given("lock"), settings["environment"]),
            code,
            why_not_needed(given("earlier", []), snakemake.params.enough_percent),
            snakemake.params.excluded,
            take_back(folder, settings, code, read),
            Limits(**machine["limits"]),
            Patience(**machine["patience"]),
            folder,
            Path(snakemake.log[0]),
        )
    # Snakemake removes the record of a job that doesn't end well. To put all modules away takes
    # longer than anything else after it was written, and a signal may come meanwhile.
    os._exit(0)
