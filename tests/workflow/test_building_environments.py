"""Environments really built, by Snakemake, in a small workflow of their own."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from small_checkout import STUDY

from trainmark.machine.gpu import nvidia

ROOT = Path(__file__).parents[2]
SNAKEFILE = """
configfile: "study.yaml"
include: "workflow/rules/common.smk"
include: "workflow/rules/environments.smk"

rule prepare:
    input: "results/environments/elsewhere-cuda.json"
"""
CACHES = shutil.ignore_patterns("__pycache__")
PACKAGE = "trainmark-no-such-package"
# Environments that can't be had: their Python, and their version of that package (locked: 1.0).
IMPOSSIBLE = {"unknown": ("3.11", "1.0"), "ancient": ("3.5", "1.0"), "outdated": ("3.11", "1.1")}
RECIPES = {
    "completed": """
def build(python, folder, lock_folder):
    folder.joinpath("tool").touch()
    return {"TOOL": str(folder / "tool")}
""",
    "broken": """
from trainmark.environments.commands import run

def build(python, folder, lock_folder):
    program = "touch half; echo working; echo 'E: no mirror' >&2; exit 2"
    run(["sh", "-c", program], "no tool", folder)
""",
}
NAMES = ("numpy", "numpy-cuda", "own", *IMPOSSIBLE, *RECIPES)
MACHINE = {"interpreters": {"own": sys.executable}}


def checkout(folder: Path) -> Path:
    """Make a workflow of the rule alone, with the numpy environment and some impossible ones."""
    (folder / "Snakefile").write_text(SNAKEFILE)
    (folder / "study.yaml").write_text(json.dumps(STUDY | {"frameworks": ["numpy"], "machine": {}}))
    # A link would not do: Snakemake follows `workflow/rules/../../envs` to where the link leads.
    shutil.copytree(ROOT / "workflow", folder / "workflow", ignore=CACHES)
    (folder / "envs").mkdir()
    for kind in ("yaml", "lock"):
        for name in ("numpy", "numpy-cuda", "elsewhere-cuda"):
            shutil.copy(ROOT / "envs" / f"numpy.{kind}", folder / "envs" / f"{name}.{kind}")
    (folder / "envs" / "own.yaml").write_text("dependencies: [python=3.6]\n")
    (folder / "envs" / "own.lock").touch()
    for name, (python, version) in IMPOSSIBLE.items():
        dependencies = [f"python={python}", {"pip": [f"{PACKAGE}=={version}"]}]
        content = json.dumps({"name": name, "dependencies": dependencies})
        (folder / "envs" / f"{name}.yaml").write_text(content)
        (folder / "envs" / f"{name}.lock").write_text(f"{PACKAGE}==1.0 --hash=sha256:{'0' * 64}\n")
    for name, recipe in RECIPES.items():
        content = json.dumps({"name": name, "dependencies": ["python=3.11"]})
        (folder / "envs" / f"{name}.yaml").write_text(content)
        (folder / "envs" / f"{name}.lock").touch()
        recipe_file(folder, name).write_text(recipe)
    return folder


def recipe_file(folder: Path, name: str) -> Path:
    return folder / "workflow/scripts/trainmark/environments/recipes" / f"{name}.py"


def snakemake(folder: Path, *names: str, options: tuple[str, ...] = ()) -> str:
    """Have the named environments; returns what Snakemake printed."""
    ends = (".json", "/.complete")
    files = [f"results/environments/{name}{end}" for name in names for end in ends]
    machine = ("--config", f"machine={json.dumps(MACHINE)}")
    command = [sys.executable, "-m", "snakemake", "--cores", "2", *machine, *options, "--", *files]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def lock(folder: Path, name: str) -> dict[str, Any]:
    path = environment_folder(folder, f"{name}.json")
    record: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return record


def numpy_version(folder: Path) -> str:
    """What the environment's own Python imports."""
    python = folder / lock(folder, "numpy")["interpreter"]
    command = [python, "-I", "-c", "import numpy; print(numpy.__version__)"]
    return subprocess.check_output(command, text=True).strip()


def environment_folder(folder: Path, name: str) -> Path:
    return folder / "results" / "environments" / name


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A checkout after its first call, and what Snakemake told meanwhile."""
    folder = checkout(tmp_path_factory.mktemp("checkout"))
    return folder, snakemake(folder, *NAMES)


def test_the_locked_packages_are_there(built: tuple[Path, str]) -> None:
    record = lock(built[0], "numpy")
    assert record["status"] == "available"
    assert record["interpreter"] == "results/environments/numpy/bin/python"
    assert list(record["packages"]) == ["lmdb", "numpy", "pillow"]
    assert numpy_version(built[0]) == record["packages"]["numpy"]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("unknown", PACKAGE),
        ("ancient", "no Python 3.5 found"),
        ("outdated", "out of date"),
        ("broken", "no tool: no mirror"),
    ],
)
def test_what_cannot_be_had_is_unavailable(
    built: tuple[Path, str], name: str, expected: str
) -> None:
    folder, output = built
    record = lock(folder, name)
    assert record["status"] == "unavailable"
    assert expected in record["reason"]
    assert "\n" not in record["reason"]
    assert f"trainmark: environment {name} is unavailable: {record['reason']}" in output
    left = [path.name for path in environment_folder(folder, name).iterdir()]
    assert left == [".complete"], "a half-built environment is removed"


@pytest.mark.skipif(bool(nvidia.find()), reason="this machine has GPUs, and would get their build")
def test_a_build_for_gpus_is_not_made_where_there_is_none(built: tuple[Path, str]) -> None:
    assert lock(built[0], "numpy-cuda")["status"] == "unavailable"
    assert "there is none here" in lock(built[0], "numpy-cuda")["reason"]


def test_it_is_made_where_only_preparation_is_done(built: tuple[Path, str]) -> None:
    snakemake(built[0], options=("--cores", "2", "prepare"))
    assert lock(built[0], "elsewhere-cuda")["status"] == "available"


def test_a_recipe_completes_its_environment(built: tuple[Path, str]) -> None:
    tool = environment_folder(built[0], "completed") / "tool"
    assert tool.exists()
    assert built[0] / lock(built[0], "completed")["variables"]["TOOL"] == tool


def test_an_interpreter_named_by_the_user_is_taken_as_it_is(built: tuple[Path, str]) -> None:
    record = lock(built[0], "own")
    assert record["interpreter"] == sys.executable
    assert "snakemake" in record["packages"]


def test_a_second_call_has_nothing_to_do(built: tuple[Path, str]) -> None:
    assert "Nothing to be done" in snakemake(built[0], *NAMES)


def test_a_changed_recipe_rebuilds_its_environment_and_no_other(built: tuple[Path, str]) -> None:
    recipe = recipe_file(built[0], "completed")
    recipe.write_text(recipe.read_text().replace("TOOL", "WRENCH"))
    output = snakemake(built[0], *NAMES)
    assert output.count("Make the environment") == 1
    assert list(lock(built[0], "completed")["variables"]) == ["WRENCH"]


def test_a_deleted_environment_is_built_again(built: tuple[Path, str]) -> None:
    folder = built[0]
    before = lock(folder, "numpy")
    shutil.rmtree(environment_folder(folder, "numpy"))
    snakemake(folder, "numpy")
    assert lock(folder, "numpy") == before
    assert numpy_version(folder) == before["packages"]["numpy"]
