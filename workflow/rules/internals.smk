"""Internals: every undocumented part of Snakemake that the rules use, each with its reason.

In: this call of Snakemake (`workflow`). Out: its jobs, targets and options as plain values; and
changes of its behaviour. tests/contract/test_snakemake.py fails when a version of Snakemake
lacks one of these parts.
"""

import logging
import sys
from pathlib import Path
from types import SimpleNamespace

from snakemake.io import IOFile
from snakemake.settings.types import DeploymentMethod, SharedFSUsage
from snakemake_interface_logger_plugins.common import LogEvent

REPLACED_EVENTS = {
    LogEvent.RUN_INFO,
    LogEvent.RESOURCES_INFO,
    LogEvent.JOB_INFO,
    LogEvent.JOB_STARTED,
    LogEvent.JOB_FINISHED,
    LogEvent.JOB_ERROR,
    LogEvent.PROGRESS,
}
"""Snakemake's log events that trainmark's own lines replace."""
ROUTINE_LINES = (
    "Assuming unrestricted",
    "Building DAG",
    "Conda environments: ignored",
    "Select jobs to execute",
    "Touching output file",
    "Using shell",
)
"""Beginnings of log lines that say nothing about a study. Snakemake gives them no event."""
FAILURE_LINES = (
    "CalledProcessError in file",
    "CreateCondaEnvironmentException",
    "Exiting because a job execution failed",
    "At least one job did not complete successfully",
    "Shutting down, this might take some time",
    "No space left on device",
)
"""Parts of log lines that say at length what trainmark's lines say."""


PRINTING = ("--dag", "--rulegraph", "--filegraph", "--d3dag", "--summary", "-S")
PRINTING += ("--detailed-summary", "-D", "--list", "-l", "--lint")
"""How the options begin with which Snakemake prints what it knows, and does nothing."""


def jobs_to_do():
    """Return the jobs of this call, once Snakemake has decided on them.

    Each job has `output` (paths) and `resources`. The forecast, and the list of runs to keep after
    a killed call, need all jobs before the first one starts; the log names them one by one.
    """
    return list(workflow.dag.needrun_jobs())


def requested_targets():
    """Return the targets of the command line: rules and files."""
    return set(workflow.dag_settings.targets)


def is_forced():
    """Return whether the user has results made again (--force…), or marked as made (--touch)."""
    settings = workflow.dag_settings
    forced = settings.forceall or settings.forcetargets or settings.forcerun
    return bool(workflow.touch or forced)


def is_dry_run():
    """Return whether nothing is to be executed: a dry run, or a call that only prints.

    Of the latter Snakemake's settings say nothing before it has read the Snakefile.
    """
    only_prints = any(argument.startswith(PRINTING) for argument in sys.argv)
    return bool(workflow.output_settings.dryrun or only_prints)


def quiet_kinds():
    """Return the values of --quiet: the kinds of lines that the user doesn't want."""
    return {kind.name.lower() for kind in workflow.output_settings.quiet or ()}


def study_files():
    """Return the configuration files of this call, for messages; `config` doesn't name them.

    Those of --configfile come last: they are laid over the workflow's own, which Snakemake appends.
    """
    of_options = workflow.overwrite_configfiles
    of_snakefiles = [file for file in workflow.configfiles if file not in of_options]
    return [Path(file) for file in (*of_snakefiles, *of_options)]


def config_arguments():
    """Return the values of --config as the user wrote them; the page repeats them."""
    return list(workflow.config_settings.config_args or ())


def default_resources():
    """Return the names of the resources that have a default by --default-resources."""
    return set(workflow.resource_settings.default_resources or ())


def makes_conda_environments():
    """Return whether Snakemake makes the rules' environments itself: --sdm conda."""
    return DeploymentMethod.CONDA in workflow.deployment_settings.deployment_method


def conda_folder():
    """Return the folder in which Snakemake makes the environments of --sdm conda."""
    return Path(
        workflow.deployment_settings.conda_prefix or ".snakemake/conda"
    ).absolute()


def is_single_job():
    """Return whether another Snakemake has started this one to do one of its jobs."""
    return not workflow.is_main_process


def is_module():
    """Return whether another workflow has imported this one."""
    return not workflow.modifier.is_main_snakefile()


def allows(rule):
    """Return whether the call allows a rule by this name: all of them without --allowed-rules."""
    allowed = workflow.dag_settings.allowed_rules
    return not allowed or rule in allowed


def runs_locally():
    """Return whether jobs are done on this machine: no executor sends them to another one."""
    return bool(workflow.local_exec)


def batch_system():
    """Return the executor that submits the jobs, once there is one; None where jobs run locally."""
    return None if runs_locally() else workflow.scheduler._executor


def limit_resource(name, limit):
    """Limit how much of a resource all jobs take together, as `--resources name=limit` does.

    The limit is the key `queued` of a study's machine; Snakefiles have no directive for it.
    """
    workflow.register_resource(name, limit)


def stop_timer():
    """Let the scheduler of local jobs wake only when a job has ended.

    Its limit of jobs per second, which no option removes, wakes it each second, and once more for
    each ended job. After forty runs, that took 0.07 cores from the run being measured.
    """
    workflow.scheduler.job_rate_limiter = None


def leave_marks_of_incompleteness():
    """Let the Snakemake of a single job leave the marks that its output is incomplete.

    Otherwise it takes them away before the Snakemake that submitted the job has noted the settings,
    which may have been killed. `--shared-fs-usage` in a profile doesn't serve: Slurm's plug-in starts
    the step of a job with all usages, whatever the profile says.
    """
    workflow.storage_settings.shared_fs_usage -= {SharedFSUsage.PERSISTENCE}


def mark_incomplete(files):
    """Mark files as incomplete before their job is submitted to a cluster.

    Snakemake itself marks them a moment later. One that is killed in between leaves a job whose
    output the next one would take for finished.
    """
    workflow.persistence.started(
        SimpleNamespace(output=[IOFile(file) for file in files])
    )


def replace_job_lines(watcher):
    """Have `watcher` print the lines about jobs; Snakemake still prints its warnings and errors.

    Its log file has all lines.

    A logger plug-in, the documented way, knows neither the study nor the jobs before they start.
    It would also have to be installed beside each Snakemake that imports this workflow.
    """
    for each in logger.handlers:
        if each.name == "DefaultStreamHandler":
            each.addFilter(_is_printed_by_snakemake)
    logger.addHandler(watcher)


def _is_printed_by_snakemake(record):
    """Whether Snakemake prints a record itself."""
    text = str(record.msg)
    if text.startswith(ROUTINE_LINES) and record.levelno == logging.INFO:
        return False
    if any(part in text for part in FAILURE_LINES):
        return False
    return getattr(record, "event", None) not in REPLACED_EVENTS
