"""Common: the study's plan, and the paths that follow from it.

In: the configuration. Out: PLAN, STUDY and functions from wildcards to files.
"""

import os
import sys

SCRIPTS = os.path.relpath(f"{workflow.current_basedir}/../scripts")
sys.path.insert(0, SCRIPTS)

from collections import Counter
from pathlib import Path

from trainmark.errors import one_line_errors
from trainmark.study import axes, plan
from trainmark.study.config import duplicates
from trainmark.study.code import digest
from trainmark.machine.file_locks import claim_folder
from trainmark.machine.gpu import for_device, lacking

with one_line_errors():
    for file in workflow.configfiles:
        duplicates.check(Path(file))
    PLAN = plan.make(config, Path(f"{workflow.current_basedir}/../../envs"))

STUDY = PLAN.study
RUN = axes.FOLDER


def claim_results():
    """Keep results/ to this Snakemake until it ends, however it ends."""
    with one_line_errors():
        claim_folder(Path("results"))


def tell_lacking_gpus():
    """Say before anything runs which runs this machine has too few GPUs for."""
    runs = Counter(run.settings["device"] for run in PLAN.runs.values())
    for device, count in runs.items():
        if reason := lacking(device, for_device(device)):
            print(
                f"trainmark: {reason}: its {count} runs will be unavailable",
                file=sys.stderr,
            )


def planned(wildcards, repeat):
    """The run that a rule's wildcards name."""
    return PLAN.runs[f"{RUN.format_map(wildcards)}/r{repeat}"]


def run_records(chosen=PLAN.runs):
    """The run.json of each run of the study, or of those chosen, in the order of the plan."""
    return [f"results/{STUDY}/runs/{path}/run.json" for path in chosen]
