"""Build or find one framework's environment and write its installed lock.

Started by `shell:` with the host's Python, because under conda a `script:` would run in the
environment's. Standard error goes to the rule's log, standard output to the user.
"""

import argparse
import os
from pathlib import Path
from typing import Any

from trainmark.environments import (
    Unavailable,
    installed,
    interpreters,
    library_path,
    recipes,
    specification,
    virtual,
)
from trainmark.errors import one_line_errors
from trainmark.machine import gpu
from trainmark.study import builds


def installed_lock(
    environment: str,
    file: Path,
    folder: Path,
    interpreter: str | None,
    measures_here: bool,
    with_conda: bool,
) -> dict[str, Any]:
    """Build the environment, unless an interpreter is named, and say what is in it.

    with_conda: Snakemake has conda make environments, and this one's is active.
    """
    try:
        if interpreter:
            python = interpreters.named(interpreter)
            recipe_variables = recipes.variables(environment, python.parents[1])
            has_file = file.stem == environment  # a release is in a table
            file_variables = specification.read(file).variables if has_file else {}
            libraries = library_path.with_the_users(recipe_variables)
            variables = file_variables | recipe_variables | libraries
            return installed.available(environment, python, variables)
        wanted = specification.find(environment, file)
        kind = builds.gpu_kind(environment)
        if kind and measures_here and not gpu.vendor(kind).find():
            raise Unavailable(
                f"it is for {gpu.vendor(kind).NAME} GPUs, and there is none here; where there is "
                f"one by now, delete {folder}.json"
            )
        if with_conda:
            prefix = Path(os.environ["CONDA_PREFIX"])
            built = virtual.build_on_conda(wanted, folder, prefix)
        else:
            built = virtual.build(wanted, folder)
        return installed.available(
            environment, *built, recipes.locks(environment, wanted.lock.parent)
        )
    except Unavailable as error:
        print(f"trainmark: environment {environment} is unavailable: {error}")
        return installed.unavailable(environment, str(error))


def main() -> None:
    """Read the command line that the rule `environment` writes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "file", type=Path, help="its file or its release's table in envs/, the lock beside it"
    )
    parser.add_argument("output", type=Path, help="results/environments/<environment>.json")
    parser.add_argument("measures_here", type=int, help="0 where runs are measured elsewhere")
    parser.add_argument("with_conda", type=int, help="1 where conda makes environments")
    parser.add_argument("interpreter", nargs="?", help="an interpreter to take as it is")
    arguments = parser.parse_args()
    output: Path = arguments.output
    lock = installed_lock(
        output.stem,
        arguments.file,
        output.with_suffix(""),
        arguments.interpreter,
        bool(arguments.measures_here),
        bool(arguments.with_conda),
    )
    installed.write(lock, output)


if __name__ == "__main__":
    with one_line_errors():
        main()
