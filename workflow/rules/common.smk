"""Common: the studies' plans, the paths that follow from them, and messages about a call's jobs.

In: the study files. Out: no files; PLANS, the paths of the runs' records, and the functions that
the Snakefile calls when jobs start and end.
"""

import os
import re
import shlex
import sys

SCRIPTS = os.path.relpath(f"{workflow.current_basedir}/../scripts")
sys.path.insert(0, SCRIPTS)

from trainmark.parent import attached, full_disk
from trainmark.terminal import StatusLine, prefixed, print_message

# Before more is imported, whose bytecode a full disk would cut off.
if message := full_disk():
    sys.exit(prefixed(message))

from functools import cache
from pathlib import Path

from trainmark import file_times
from trainmark.environments import virtual
from trainmark.errors import one_line_errors, unknown
from trainmark.files import DamagedFile
from trainmark.machine.file_locks import LOCK, claim_folder
from trainmark.machine.shortcomings import shortcomings
from trainmark.runs import inputs, records
from trainmark.runs.resume import (
    BeforeSubmission,
    PutAside,
    pass_claim_to_jobs,
    put_aside,
    retried,
)
from trainmark.runs.stopping import end_jobs_on_signal
from trainmark.study import axes, digest, machines, paths, study_set
from trainmark.study.config import study_file
from trainmark.study.config.errors import StudyError
from trainmark.watch import conda_failures, full_disks, handler


include: "internals.smk"
include: "repair.smk"


# Snakemake merges config files and can't remove a key again. So the default study is read only
# where the user gives no study.
if not config.keys() & {"studies", "study", "cases"}:
    with one_line_errors():
        study_file.check(Path("config/config.yaml"))

    configfile: "config/config.yaml"


with one_line_errors():
    for file in study_files():
        study_file.check_duplicates(file)
    STUDY_FILES = study_set.files(config, study_files())
    PLANS = study_set.make(
        config, study_files(), Path(f"{workflow.current_basedir}/../../envs")
    )

# Whether a set has keys of its own, without which its study files make other studies.
IS_OVERLAID = "studies" in config and len(config) > 1
# The scripts of jobs find each study's configuration here, complete, whether it is alone or not.
# In a copy, as the importer of a module may use its own for several modules.
config = {**config, "studies": {name: plan.config for name, plan in PLANS.items()}}
# The first study's configuration, of the keys on which all studies agree.
SHARED_CONFIG = next(iter(PLANS.values())).config
SHARED = {key: SHARED_CONFIG["machine"][key] for key in study_set.SHARED}
# Beside .svg and .csv.
FIGURE_SUFFIXES = [f".{form}" for form in SHARED_CONFIG[study_set.FIGURE_FORMATS]]

# `attached` ends a job when Snakemake ends, however it ends. `exec` needs a single command, which
# the rules of a workflow that imports this one needn't have.
if not is_module():
    shell.prefix(f"set -euo pipefail; exec {shlex.join(attached())} ")

RESULTS = Path("results")
# The value of --quiet in profiles/default. With another value, only Snakemake's lines are printed.
QUIET = {"host", "reason"}
RUN = f"{axes.FOLDER}/r{{repeat}}"
EVENTS = "results/{study}/events.jsonl"
# By study its place in the set: a study is measured before the next one.
TURNS = {study: turn for turn, study in enumerate(PLANS)}
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
    return [run for run in runs if run_record(run) in files]


def machine_of(target):
    """The machine of a target on_<machine>, else None. A module's targets have a prefix."""
    names = {name for plan in PLANS.values() for name in plan.config["machines"]}
    matching = [name for name in names if target.endswith(machines.queue(name))]
    return max(matching, key=len, default=None)


def requested_runs():
    """The runs of the requested machines; all runs where any other target is requested."""
    names = {machine_of(target) for target in requested_targets()}
    everything = not names or None in names
    return [
        run
        for run in all_runs().values()
        if everything or run.settings["machine_name"] in names
    ]


def print_shortcomings():
    """Print the studies' requirements that this machine doesn't meet, each line once."""
    runs = requested_runs()
    here = measured_here(runs)
    lines_of_studies = (
        shortcomings(runs_of(plan, runs), runs_of(plan, here), plan.config)
        for plan in PLANS.values()
    )
    for line in dict.fromkeys(line for lines in lines_of_studies for line in lines):
        print_message(line)


def watch():
    """Print the shortcomings of this machine, and then the progress of the jobs."""
    logger.addHandler(handler.Announcer(print_shortcomings))
    settings = {record: run.settings for record, run in all_runs().items()}
    left_out = {record for record, run in all_runs().items() if not run.is_included}
    arguments = StatusLine(sys.stderr), settings, job_estimates, left_out
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
        for record in files_to_make().intersection(all_runs()):
            put_aside(Path(record))


def show_kept_runs():
    """Print how many runs of studies that ended early needn't be measured again."""
    records = all_runs()
    kept = sum(Path(record).exists() for record in records)
    if kept:
        print_message(
            f"{kept} of {len(records)} runs are done and kept; "
            "the same command goes on from there"
        )


def planned_run(wildcards):
    """The run that a rule's wildcards name."""
    return PLANS[wildcards.study].runs[RUN.format_map(wildcards)]


def run_record(run):
    """The run.json of a run."""
    return f"results/{run.settings['study']}/runs/{run.path}/run.json"


def run_records(plan):
    """The run.json of each run of a study, in the order of its plan."""
    return [run_record(run) for run in plan.runs.values()]


def first_repeats(plan):
    """The first run of each configuration of a study, for what all of its repeats share."""
    return [run for run in plan.runs.values() if run.settings["repeat"] == 1]


def missing_records(plan):
    """The run.json of each run that isn't there, for targets that need all of them.

    These need the rule events, whose inputs are all records: changed runs are noticed there.
    Snakemake makes a missing record again only where a target lists it. It compares each input of
    a target with all jobs, so the target lists no other record.
    """
    return [record for record in run_records(plan) if not Path(record).exists()]


def runs_of(plan, runs):
    """Those of some runs that belong to a study."""
    return [run for run in runs if run.settings["study"] == plan.study]


@cache
def all_runs():
    """The runs of all studies by their run.json."""
    return {
        run_record(run): run for plan in PLANS.values() for run in plan.runs.values()
    }


def of_study(function):
    """An input function or parameter: what `function` makes of the plan of the job's study."""
    return lambda wildcards: function(PLANS[wildcards.study])


def of_all_studies(function):
    """The files that `function` lists of each study's plan, in one list."""
    return [file for plan in PLANS.values() for file in function(plan)]


# By a function, as a rule that isn't requested needn't list the records.
all_records = of_study(run_records)


def published_files(study):
    """The files of a published study: its values, its settings, its claims."""
    files = Path(PUBLISHED, study).iterdir()
    return sorted(str(file) for file in files if file.suffix in (".csv", ".yaml"))


def mark_submitted(files):
    """Mark the output of a job of a cluster's study as incomplete, before it is submitted."""
    if not (is_dry_run() or runs_locally()):
        mark_incomplete(files)


DELETED = []
if is_single_job():  # on a node of a cluster
    logger.addHandler(PutAside(RESULTS / LOCK, {"job_info", "job_error"}))
    leave_marks_of_incompleteness()
else:
    with one_line_errors():
        DELETED = delete_damaged_inputs()
        measure_damaged_runs_again()
        build_broken_environments_again()
        redate_files_of_the_future()
    watch()
    logger.addHandler(full_disks.Reporter())
    logger.addHandler(conda_failures.Reporter())
    logger.addHandler(PutAside(RESULTS / LOCK, {"job_error"}))
    logger.addHandler(BeforeSubmission(mark_submitted))

# What runs read, and was damaged or couldn't be had.
MADE_AGAIN = DELETED + of_all_studies(
    lambda plan: retried(plan.runs.values(), Path(f"results/{plan.study}/runs"))
)


def to_measure(_wildcards):
    """The missing records of all runs, and what of their input is to be made again.

    With profiles/report nothing makes that input.
    """
    made_again = MADE_AGAIN if allows("environment") else []
    return of_all_studies(missing_records) + made_again


wildcard_constraints:
    study="|".join(map(re.escape, PLANS)),
