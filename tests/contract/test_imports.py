"""Who may import whom, as CONTRIBUTING.md has it: read from the syntax trees, not from habit."""

import ast
import sys
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).parents[2] / "workflow" / "scripts"
ROOMS = ["study", "environments", "data", "train", "analyse", "report"]
FRAMEWORKS = {"torch", "tensorflow", "mxnet", "jax", "cntk", "caffe", "caffe2", "theano", "keras"}
STANDARD = set(sys.stdlib_module_names)

# Of the worker: what a job and a network are, and how its readers resize.
SHARED = ("dataset", "devices", "network", "networks")


def imported(path):
    """Full dotted names of all modules that a file imports."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def files(pattern):
    return [pytest.param(p, id=str(p.relative_to(SCRIPTS))) for p in sorted(SCRIPTS.glob(pattern))]


def top(name):
    return name.split(".")[0]


@pytest.mark.parametrize("path", files("trainmark/**/*.py"))
def test_the_host_library_knows_neither_snakemake_nor_a_framework(path):
    found = {top(name) for name in imported(path)}
    assert not found & (FRAMEWORKS | {"snakemake"})


@pytest.mark.parametrize("path", files("trainmark/*/**/*.py"))
def test_a_room_imports_only_itself_and_the_rooms_before_it(path):
    room = path.relative_to(SCRIPTS / "trainmark").parts[0]
    allowed = [*ROOMS[: ROOMS.index(room) + 1], "errors", "parent"]
    for name in imported(path):
        parts = name.split(".")
        if parts[0] == "trainmark" and len(parts) > 1:
            assert parts[1] in allowed, name


@pytest.mark.parametrize("path", files("trainmark/**/*.py"))
def test_of_the_worker_the_host_uses_only_what_jobs_and_networks_are(path):
    for name in imported(path):
        assert not name.startswith("worker.") or name.split(".")[1] in SHARED, name


@pytest.mark.parametrize("path", files("*.py"))
def test_a_rules_script_uses_the_library_alone(path):
    assert {top(name) for name in imported(path)} <= STANDARD | {"trainmark"}


@pytest.mark.parametrize("path", files("worker/networks/*.py"))
def test_a_network_imports_nothing(path):
    if path.name != "__init__.py":
        assert not list(imported(path))


@pytest.mark.parametrize("path", files("worker/*.py"))
def test_the_workers_core_needs_numpy_at_most(path):
    assert {top(name) for name in imported(path)} <= STANDARD | {"numpy", "worker"}


@pytest.mark.parametrize("path", files("worker/*/*.py"))
def test_an_adapter_knows_no_other_adapter_and_no_host_code(path):
    for name in imported(path):
        assert top(name) != "trainmark"
        # but for what several adapters of one framework share, which is no adapter itself
        assert not name.startswith("worker.frameworks.") or name.split(".")[2].startswith("_")
