"""Common: the study's plan, and the paths that follow from it.

In: the configuration. Out: PLAN, STUDY and functions from wildcards to files.
"""

import os
import sys

SCRIPTS = os.path.relpath(f"{workflow.current_basedir}/../scripts")
sys.path.insert(0, SCRIPTS)

from pathlib import Path

from trainmark.errors import one_line_errors
from trainmark.study import duplicates, plan, study_file
from trainmark.machine.file_locks import claim_folder
from trainmark.machine.shortcomings import shortcomings
from trainmark.runs.retried import retried

# Snakemake merges config files and can't take anything away, so the default study is read only
# where none is given.
if not config.keys() & {"study", "cases", "frameworks"}:
    with one_line_errors():
        study_file.check(Path("config/config.yaml"))

    configfile: "config/config.yaml"


with one_line_errors():
    for file in workflow.configfiles:
        duplicates.check(Path(file))
    PLAN = plan.make(config, Path(f"{workflow.current_basedir}/../../envs"))

if workflow.is_main_process:
    for line in shortcomings(PLAN.runs.values(), config.get("machine", {})):
        print(f"trainmark: {line}", file=sys.stderr)

STUDY = PLAN.study
RUN = "{case}/{framework}/{device}/{precision}/{stage}-{input_mode}"


def claim_results():
    """Keep results/ to this Snakemake until it ends, however it ends."""
    with one_line_errors():
        claim_folder(Path("results"))


def planned(wildcards, repeat):
    """The run that a rule's wildcards name."""
    return PLAN.runs[f"{RUN.format_map(wildcards)}/r{repeat}"]


def run_records(chosen=PLAN.runs):
    """The run.json of each run of the study, or of those chosen, in the order of the plan."""
    return [f"results/{STUDY}/runs/{path}/run.json" for path in chosen]


def room(name, pattern="*.py"):
    """The files of a room of the host library."""
    return sorted(str(path) for path in Path(SCRIPTS, "trainmark", name).glob(pattern))
