"""Rule train: measure one run of one configuration while no other run is measured."""

import json
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from trainmark.errors import one_line_errors
from trainmark.file_times import JOB_SECONDS, redate_future
from trainmark.machine.disturbances import Limits
from trainmark.machine.file_locks import run_lock
from trainmark.runs import lines, unmeasured
from trainmark.runs.guard import Guard
from trainmark.runs.inputs import digests
from trainmark.runs.job import FILES, LOCKS, Task, complete, read_lock, with_browser
from trainmark.runs.kept_arrays import TRAINED
from trainmark.runs.measure import Patience, leave_out, measure
from trainmark.runs.nodes.hosts import other_hosts
from trainmark.runs.outcome import Outcome
from trainmark.runs.records import RECORD, read
from trainmark.runs.resume import restore_finished
from trainmark.runs.unmeasured import NotMeasured
from trainmark.study import machines, paths
from trainmark.terminal import print_message

snakemake: Any  # put here by Snakemake


def why_not_needed(earlier: Sequence[str], enough_percent: float | None) -> str | None:
    """Why the repeats before this one are enough, by their run.json; None where they aren't."""
    if enough_percent is None:
        return None
    from trainmark.analyse.compare.enough import reason_to_stop
    from trainmark.analyse.run.value import main_values

    values = [value for _, value in main_values(Path(path).parent for path in earlier)]
    return reason_to_stop(values, len(earlier), enough_percent)


def result(folder: Path) -> str:
    """The result of the run in a folder, in one line."""
    record = read(folder / RECORD)
    if record["status"] != "ok":
        return lines.result(record)
    # Not before a run: to import it takes a second.
    from trainmark.analyse.run.value import main_values

    return lines.result(record, next(main_values([folder]), None))


def main(
    task: Task,
    reason_to_leave_out: Outcome | None,
    is_kept: Callable[[], bool],
    machine: Mapping[str, Any],
    log: Path,
) -> None:
    """Measure the run, or record why it isn't measured; the last line of the log is its result."""
    with log.open("w", encoding="utf-8") as stream:

        def report(message: str) -> None:
            lines.write(message, stream)
            print_message(message)

        with Guard() as guard, run_lock(task.folder, guard.check, report):
            if is_kept():
                report("measured before with the same settings, code and inputs: it is kept")
            elif reason_to_leave_out:
                leave_out(task, reason_to_leave_out)
            else:
                measure_or_leave_out(task, machine, guard, report)
        lines.write(result(task.folder), stream)


def measure_or_leave_out(
    task: Task, machine: Mapping[str, Any], guard: Guard, report: Callable[[str], None]
) -> None:
    """Measure the run; record why it can't be measured where that shows only now."""
    limits, patience = Limits(**machine["limits"]), Patience(**machine["patience"])
    try:
        hosts = other_hosts(task.job["device"], machine)
        measure(task, limits, patience, guard, report, hosts=hosts)
    except NotMeasured as error:
        leave_out(task, Outcome(error.status, str(error)))


if __name__ == "__main__":
    definition = snakemake.params.definition
    settings, code = json.loads(definition["settings"]), definition["code"]
    machine = machines.settings(snakemake.config["studies"][settings["study"]], settings)
    input_path = snakemake.input.get
    inputs = {name: input_path(name) for name in (*FILES, *LOCKS) if input_path(name)}
    files = {name: path for name, path in inputs.items() if name in FILES}
    if "trained" in files:  # the trainer's record, beside which its weights are
        files["trained"] = str(Path(files["trained"]).with_name(TRAINED))
    folder = Path(snakemake.output.run).parent
    with one_line_errors():
        lock = read_lock(input_path("lock"), settings["environment"])
        lock = with_browser(lock, machine.get("browser"))
        locks = [lock]
        if "attacker" in inputs:
            locks.append(read_lock(inputs["attacker"], paths.ATTACKER))
        job = complete(settings, machine, files, *locks[1:])
        of_inputs = digests(inputs)
        not_needed = why_not_needed(input_path("earlier", []), snakemake.params.enough_percent)
        main(
            Task(job, lock, code, folder, of_inputs, machine.get("scratch")),
            unmeasured.outcome(job, locks, snakemake.params.excluded, not_needed),
            lambda: restore_finished(folder, settings, code, inputs, of_inputs),
            machine,
            Path(snakemake.log[0]),
        )
        # Where a clock was set back meanwhile: Snakemake dates the outputs when this job has ended.
        # Another job may have ended just now, whose outputs are made of the same inputs.
        redate_future(map(Path, snakemake.input), age_seconds=JOB_SECONDS)
    # Snakemake removes the record of a job that doesn't end well. Python takes longer to unload all
    # modules than for anything else after the record is written, and a signal may come meanwhile.
    os._exit(0)
