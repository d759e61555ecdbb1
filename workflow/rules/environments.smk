"""Environments: one isolated Python per framework version.

In: envs/<environment>.yaml, or of a release its entry in envs/releases/<framework>.yaml, and
the hashed lock beside it; its recipe, where it needs more than pip packages, and the recipe's own
locks of Debian's or npm's packages.
Out: results/environments/<environment>.json, the lock of the installed packages, with the
interpreter to use, or with the reason why there is none (the rule succeeds in both cases).

A virtual environment is built in results/environments/<environment>/. With `--sdm conda` its Python
is conda's, and so are the packages that only conda has.
"""

import os
import sys
from pathlib import Path

from trainmark.environments import Unavailable, conda_file, recipes, specification
from trainmark.errors import one_line_errors
from trainmark.machine import gpu
from trainmark.study import builds, paths, releases

ENVIRONMENTS = os.path.relpath(f"{workflow.current_basedir}/../../envs")
RECIPES = f"{SCRIPTS}/trainmark/environments/recipes"
WITH_CONDA = makes_conda_environments()


def file_or_table(environment):
    """The file that describes an environment: its own, or the table that it is a release of."""
    path = Path(ENVIRONMENTS, f"{environment}.yaml")
    return path if path.exists() else releases.path(environment, Path(ENVIRONMENTS))


def file_for_conda(wildcards):
    """The file that conda makes an environment of, written now; None where it makes none.

    Conda makes all environments before any job, so what can't be had is left to the job to say.
    """
    if not WITH_CONDA or existing_interpreter(wildcards):
        return None
    kind = builds.gpu_kind(wildcards.environment)
    if kind and measures_here() and not gpu.vendor(kind).find():
        return None
    path = Path(f"results/environments/{wildcards.environment}.conda.yaml").absolute()
    try:
        file = file_or_table(wildcards.environment)
        conda_file.write(specification.find(wildcards.environment, file), path)
    except Unavailable:
        return None
    return str(path)


def existing_interpreter(wildcards):
    """The interpreter that the user names, to be used unchanged; else "".

    The interpreter that the user names for an environment also serves its build for GPUs, unless
    the user names one for that build too; but not its releases.
    """
    interpreters = SHARED["interpreters"]
    names = [wildcards.environment]
    if builds.release(wildcards.environment) is None:
        names.append(builds.plain(wildcards.environment))
    matching = [interpreters[name] for name in names if name in interpreters]
    return matching[0] if matching else ""


def recipe_files(wildcards):
    """The files, besides YAML file and lock, that an environment is made from: often none."""
    recipe = builds.recipe(wildcards.environment)
    files = [
        Path(RECIPES, f"{recipe}.py"),
        *Path(RECIPES, recipe).glob("*.[ch]"),
        *recipes.locks(wildcards.environment, Path(ENVIRONMENTS)),
    ]
    return sorted(str(path) for path in files if path.exists())


def release_of(wildcards):
    """The release that an environment is of, or None."""
    with one_line_errors():
        return releases.find(wildcards.environment, Path(ENVIRONMENTS))


def file_and_lock(wildcards):
    """An environment's file and its lock; of a release the lock alone, if it can be had.

    So a release isn't built again where another is added to their table, but where its lock or its
    entry changes.
    """
    release = release_of(wildcards)
    if release is None:
        path = f"{ENVIRONMENTS}/{wildcards.environment}"
        return [f"{path}.yaml", f"{path}.lock"]
    folder = Path(ENVIRONMENTS, releases.FOLDER)
    return [] if release.unavailable else [str(folder / f"{release.environment}.lock")]


def needed_megabytes(wildcards):
    """What an environment takes on the disk, at most."""
    if builds.gpu_kind(wildcards.environment):
        return 8000
    # TensorFlow, Caffe2 and ExecuTorch take 1500.
    return 2500 if builds.release(wildcards.environment) else 1500


rule environment:
    input:
        recipe_files,
        file_and_lock,
    output:
        lock=paths.INSTALLED_LOCK,
        # In the environment's folder, so that a deleted environment is built again.
        folder=touch(paths.ENVIRONMENT_COMPLETE),
    log:
        "results/logs/environment/{environment}.log",
    wildcard_constraints:
        environment="[^/]+",
    localrule: True
    conda:
        file_for_conda
    resources:
        mem_mb=2000,
        disk_mb=needed_megabytes,
        runtime=60,
        # On other machines, only a run can tell whether there are GPUs.
        measures_here=lambda wildcards: int(measures_here()),
        # Not a parameter: what was built without conda stays, and the other way round.
        with_conda=int(WITH_CONDA),
    params:
        entry=lambda wildcards: str(release_of(wildcards) or ""),
        file=lambda wildcards: file_or_table(wildcards.environment),
        interpreter=existing_interpreter,
        script=f"{SCRIPTS}/environment.py",
    message:
        "Make the environment {wildcards.environment}"
    shell:
        "{sys.executable:q} {params.script:q} {params.file:q} {output.lock:q}"
        " {resources.measures_here} {resources.with_conda} {params.interpreter:q} 2> {log:q}"


rule environments:
    input:
        expand(
            [paths.INSTALLED_LOCK, paths.ENVIRONMENT_COMPLETE],
            environment=glob_wildcards(f"{ENVIRONMENTS}/{{name,[^/]+}}.yaml").name,
        ),
    message:
        "Every environment that has a file is built, or reported as unavailable"
