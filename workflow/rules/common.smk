"""Common: the study's plan, the paths that follow from it, and messages about a call's jobs.

In: the study file. Out: no files; PLAN, STUDY, the paths of the runs' records, and the functions
that the Snakefile calls when jobs start and end.
"""

import os
import shlex
import sys

SCRIPTS = os.path.relpath(f"{workflow.current_basedir}/../scripts")
sys.path.insert(0, SCRIPTS)

from pathlib import Path

from trainmark.errors import one_line_errors
from trainmark.machine.file_locks import LOCK, claim_folder
from trainmark.machine.shortcomings import shortcomings
from trainmark.parent import attached
from trainmark.runs.resume import PutAside, pass_claim_to_jobs, put_aside, retried
from trainmark.runs.stopping import end_jobs_on_signal
from trainmark.study import axes, digest, machines, plan
from trainmark.study.config import base, study_file
from trainmark.terminal import StatusLine, print_message
from trainmark.watch import handler


include: "internals.smk"


# Snakemake merges config files and can't remove a key again. So the default study is read only
# where the user gives no study.
if not config.keys() & {"study", "cases", "frameworks"}:
    with one_line_errors():
        study_file.check(Path("config/config.yaml"))

    configfile: "config/config.yaml"


with one_line_errors():
    for file in study_files():
        study_file.check_duplicates(file)
    PLAN = plan.make(
        base.with_cases(config, study_files()),
        Path(f"{workflow.current_basedir}/../../envs"),
    )

# `attached` ends a job when Snakemake ends, however it ends. `exec` needs a single command.
shell.prefix(f"set -euo pipefail; exec {shlex.join(attached())} ")

STUDY = PLAN.study
RESULTS = Path("results")
# The value of --quiet in profiles/default. With another value, only Snakemake's lines are printed.
QUIET = {"host", "reason"}
RUN = f"{axes.FOLDER}/r{{repeat}}"
PUBLISHED = os.path.relpath(f"{workflow.current_basedir}/../../resources/published")


def job_estimates():
    """Each job that makes files: its first file, and how much memory and disk it may take."""
    for job in jobs_to_do():
        if job.output:
            sizes = (job.resources.get(name, 0) for name in ("mem_mb", "disk_mb"))
            # Snakemake's own defaults on clusters depend on input that isn't there yet.
            numbers = (size if isinstance(size, int) else 0 for size in sizes)
            yield handler.ToDo(str(job.output[0]), *numbers)


def files_to_make():
    """The files that this call makes."""
    return {str(file) for job in jobs_to_do() for file in job.output}


def measures_here():
    """Whether runs are measured on this machine; False on a cluster's login node."""
    targets = requested_targets()
    prepares = any(target.endswith("prepare") for target in targets)
    return runs_locally() and not prepares


def measured_here(runs):
    """The runs that this call measures on this machine; known once Snakemake has its jobs."""
    if not measures_here():
        return []
    files = files_to_make()
    return [run for run in runs if not files.isdisjoint(run_records([run.path]))]


def machine_of(target):
    """The machine of a target on_<machine>, else None. A module's targets have a prefix."""
    names = PLAN.config["machines"]
    matching = [name for name in names if target.endswith(machines.queue(name))]
    return max(matching, key=len, default=None)


def requested_runs():
    """The runs of the requested machines; all runs where any other target is requested."""
    names = {machine_of(target) for target in requested_targets()}
    everything = not names or None in names
    return [
        run
        for run in PLAN.runs.values()
        if everything or run.settings["machine_name"] in names
    ]


def print_shortcomings():
    """Print the study's requirements that this machine doesn't meet."""
    runs = requested_runs()
    for line in shortcomings(runs, measured_here(runs), PLAN.config):
        print_message(line)


def watch():
    """Print the shortcomings of this machine, and then the progress of the jobs."""
    logger.addHandler(handler.Announcer(print_shortcomings))
    settings = {
        f"results/{STUDY}/runs/{path}/run.json": run.settings
        for path, run in PLAN.runs.items()
    }
    arguments = StatusLine(sys.stderr), settings, job_estimates
    quiet = quiet_kinds()
    if is_dry_run() and "all" not in quiet:
        logger.addHandler(handler.Forecaster(*arguments))
    elif quiet == QUIET:
        replace_job_lines(handler.Watcher(*arguments))


def claim_results():
    """Keep results/ to this Snakemake until it ends, however it ends."""
    with one_line_errors():
        claim_folder(RESULTS)
    pass_claim_to_jobs(RESULTS / LOCK)


def keep_finished_runs():
    """Put aside the records of runs that Snakemake would measure again, unless the user forces it.

    A killed Snakemake may not have noted that these runs are finished, so each job checks its own.
    """
    if not is_forced():
        for record in files_to_make().intersection(run_records()):
            put_aside(Path(record))


def show_kept_runs():
    """Print how many runs of a study that ended early needn't be measured again."""
    records = run_records()
    kept = sum(Path(record).exists() for record in records)
    if kept:
        print_message(
            f"{kept} of {len(records)} runs are done and kept; "
            "the same command goes on from there"
        )


def planned_run(wildcards):
    """The run that a rule's wildcards name."""
    return PLAN.runs[RUN.format_map(wildcards)]


def run_records(paths=PLAN.runs):
    """The run.json of each run of the study, or of the runs with these paths, in their order."""
    return [f"results/{STUDY}/runs/{path}/run.json" for path in paths]


def all_records(wildcards):
    """The run.json of each run, by a function: a rule that isn't requested needn't list them."""
    return run_records()


def published_files(study):
    """The CSV files of a published study: its values, its settings."""
    return sorted(map(str, Path(PUBLISHED, study).glob("*.csv")))


if is_single_job():  # on a node of a cluster
    logger.addHandler(PutAside(RESULTS / LOCK, {"job_info", "job_error"}))
    leave_marks_of_incompleteness()
else:
    watch()
    logger.addHandler(PutAside(RESULTS / LOCK, {"job_error"}))

RETRIED = retried(PLAN.runs.values(), Path(f"results/{STUDY}/runs"))
