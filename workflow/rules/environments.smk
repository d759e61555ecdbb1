"""Environments: one isolated Python per framework version.

In: envs/<environment>.yaml, or of a release its entry in envs/releases/<framework>.yaml, and
the hashed lock beside it; its recipe, where it needs more than pip packages, and the recipe's own
lock of Debian packages (envs/<environment>.debian.lock).
Out: results/environments/<environment>.json, the lock of the installed packages, with the
interpreter to use, or with the reason why there is none (the rule succeeds in both cases).

Without `--sdm conda` the conda directive is ignored, and a virtual environment is built in
results/environments/<environment>/. With it the rule runs inside the environment that conda made,
and uses its Python.
"""

import os
import re
import sys
from pathlib import Path

from trainmark.errors import one_line_errors
from trainmark.study import builds, paths, releases

ENVIRONMENTS = os.path.relpath(f"{workflow.current_basedir}/../../envs")
RECIPES = os.path.relpath(
    f"{workflow.current_basedir}/../scripts/trainmark/environments/recipes"
)
with one_line_errors():
    OF_RELEASE = "|".join(map(re.escape, releases.environments(Path(ENVIRONMENTS))))
WITH_CONDA = makes_conda_environments()


def existing_interpreter(wildcards):
    """The interpreter to use unchanged: the one that the user names, else conda's, else "".

    The interpreter that the user names for an environment also serves its build for GPUs, unless
    the user names one for that build too.
    """
    interpreters = SHARED["interpreters"]
    names = wildcards.environment, builds.plain(wildcards.environment)
    matching = [interpreters[name] for name in names if name in interpreters]
    return matching[0] if matching else ("python" if WITH_CONDA else "")


def recipe_files(wildcards):
    """The files, besides YAML file and lock, that an environment is made from: often none."""
    recipe = builds.recipe(wildcards.environment)
    files = [
        Path(RECIPES, f"{recipe}.py"),
        *Path(RECIPES, recipe).glob("*.[ch]"),
        Path(ENVIRONMENTS, f"{recipe}.debian.lock"),
    ]
    return sorted(str(path) for path in files if path.exists())


def lock_of_release(wildcards):
    """The lock of a release; nothing where its table says that it can't be had."""
    release = releases.find(wildcards.environment, Path(ENVIRONMENTS))
    folder = Path(ENVIRONMENTS, releases.FOLDER)
    return [] if release.unavailable else [str(folder / f"{release.environment}.lock")]


rule environment:
    input:
        recipe_files,
        file=f"{ENVIRONMENTS}/{{environment}}.yaml",
        lock=f"{ENVIRONMENTS}/{{environment}}.lock",
    output:
        lock=paths.INSTALLED_LOCK,
        # In the environment's folder, so that a deleted environment is built again.
        folder=touch(paths.ENVIRONMENT_COMPLETE),
    log:
        "results/logs/environment/{environment}.log",
    wildcard_constraints:
        environment=f"(?!(?:{OF_RELEASE})$)[^/]+",
    localrule: True
    conda:
        "../../envs/{environment}.yaml"
    resources:
        mem_mb=2000,
        # TensorFlow, Caffe2 and ExecuTorch take 1500; a build for GPUs takes several times that.
        disk_mb=lambda wildcards: (
            8000 if builds.gpu_kind(wildcards.environment) else 1500
        ),
        runtime=60,
        # On other machines, only a run can tell whether there are GPUs.
        measures_here=lambda wildcards: int(measures_here()),
    params:
        interpreter=existing_interpreter,
        script=os.path.relpath(f"{workflow.current_basedir}/../scripts/environment.py"),
    message:
        "Make the environment {wildcards.environment}"
    shell:
        "{sys.executable:q} {params.script:q} {input.file:q} {output.lock:q}"
        " {resources.measures_here} {params.interpreter:q} 2> {log:q}"


# Conda makes none: releases are what pip installs. One of them isn't built again where another is
# added to their table, but where its lock or its entry changes.
rule environment_of_release:
    input:
        recipe_files,
        lock_of_release,
    output:
        lock=paths.INSTALLED_LOCK,
        folder=touch(paths.ENVIRONMENT_COMPLETE),
    log:
        "results/logs/environment/{environment}.log",
    wildcard_constraints:
        environment=OF_RELEASE,
    localrule: True
    resources:
        mem_mb=2000,
        disk_mb=2500,
        runtime=60,
    params:
        entry=lambda wildcards: str(
            releases.find(wildcards.environment, Path(ENVIRONMENTS))
        ),
        file=lambda wildcards: releases.path(wildcards.environment, Path(ENVIRONMENTS)),
        interpreter=lambda wildcards: SHARED["interpreters"].get(
            wildcards.environment, ""
        ),
        script=os.path.relpath(f"{workflow.current_basedir}/../scripts/environment.py"),
    message:
        "Make the environment {wildcards.environment}"
    shell:
        "{sys.executable:q} {params.script:q} {params.file:q} {output.lock:q}"
        " 1 {params.interpreter:q} 2> {log:q}"


rule environments:
    input:
        expand(
            [paths.INSTALLED_LOCK, paths.ENVIRONMENT_COMPLETE],
            environment=glob_wildcards(f"{ENVIRONMENTS}/{{name,[^/]+}}.yaml").name,
        ),
    message:
        "Every environment that has a file is built, or reported as unavailable"
