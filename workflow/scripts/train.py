"""Rule train: one run of one configuration, measured on a machine held for it alone."""

import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from trainmark.errors import one_line_errors
from trainmark.train.launch import CannotStart
from trainmark.train.measure import Limits, leave_out, measure
from trainmark.train.record import sentence

snakemake: Any  # put here by Snakemake

TIMEOUT_SECONDS = 3600.0


def complete(
    settings: Mapping[str, Any], machine: Mapping[str, Any], data: str, reference: str
) -> dict[str, Any]:
    """The job: the settings that define the measurement, and what belongs to this machine."""
    return {
        **settings,
        "threads": machine.get("threads", len(os.sched_getaffinity(0))),
        "timeout_seconds": machine.get("timeout_seconds", TIMEOUT_SECONDS),
        "data": str(Path(data).absolute()),
        "reference": str(Path(reference).absolute()),
    }


def main(
    job: Mapping[str, Any],
    lock: Mapping[str, Any],
    excluded: str | None,
    limits: Limits,
    folder: Path,
    log: Path,
) -> None:
    """Measure the job, or write down why it can't or shan't be."""
    with log.open("w", encoding="utf-8") as stream:

        def say(line: str) -> None:
            for place in (stream, sys.stderr):
                print(f"trainmark: {line}", file=place, flush=True)

        if lock["status"] == "unavailable":
            leave_out(job, lock, folder, "unavailable", lock["reason"])
        elif excluded:
            leave_out(job, lock, folder, "unsupported", f"left out by the study: {excluded}")
        else:
            try:
                measure(job, lock, folder, limits, say)
            except CannotStart as error:
                leave_out(job, lock, folder, "failed", str(error))
        say(sentence(json.loads((folder / "run.json").read_text(encoding="utf-8"))))


if __name__ == "__main__":
    machine = snakemake.config.get("machine", {})
    with one_line_errors():
        main(
            complete(
                json.loads(snakemake.params.job),
                machine,
                snakemake.input.data,
                snakemake.input.reference,
            ),
            json.loads(Path(snakemake.input.lock).read_text(encoding="utf-8")),
            snakemake.params.excluded,
            Limits(machine.get("other_cpu_limit", 0.05), machine.get("attempts", 3)),
            Path(snakemake.output.run).parent,
            Path(snakemake.log[0]),
        )
