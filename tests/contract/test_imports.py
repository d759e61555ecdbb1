"""Who may import whom (docs/develop/code-map.md): read from the syntax trees, not from habit."""

import ast
import sys
from pathlib import Path

import pytest

from trainmark.study import plugins

SCRIPTS = Path(__file__).parents[2] / "workflow" / "scripts"
HOST_ROOMS = ["study", "machine", "environments", "data", "runs", "packed", "watch"]
HOST_ROOMS += ["analyse", "report"]
"""Each may import itself and those before it."""
INNER_ROOMS = {
    "data": ["obtain", "read", "write", "formats", "datasets", "variants"],
    "analyse": ["run", "csv", "compare", "along", "trained", "published", "sets"],
    "report": [
        "words",
        "draw",
        "charts",
        "tables",
        "figures",
        "published",
        "page",
        "compare",
        "exports",
    ],
}
"""The rooms within a room, likewise; the files beside them may import all of them."""
WORKER_ROOMS = [
    "exports",
    "libraries",
    "networks",
    "input",
    "ranks",
    "models",
    "browser",
    "frameworks",
    "proof",
    "timing",
    "attacks",
    "adversary",
    "stages",
]
"""Likewise, behind the worker's own modules but adapter.py and what is run, which is last."""
EXECUTED = ("run", "prove_in_float32")
"""The worker's modules that are started by themselves."""
FRAMEWORKS = {"torch", "tensorflow", "mxnet", "jax", "cntk", "caffe", "caffe2", "theano", "keras"}
FRAMEWORKS |= {"openvino", "executorch", "torchao"}
FORMATS = {
    "onnx": {"onnx", "onnxruntime"},
    "tflite": {"ai_edge_litert", "ai_edge_quantizer", "flatbuffers"},
}
"""What writes each format of models, and quantises it."""
FRAMEWORKS = FRAMEWORKS.union(*FORMATS.values())
STANDARD = set(sys.stdlib_module_names)

# Of the worker the host knows what devices, precisions and networks are, how readers resize, and by
# which variables the processes of several nodes find each other.
SHARED = ("worker.devices", "worker.networks", "worker.precisions", "worker.input.dataset")
SHARED += ("worker.ranks.nodes", "worker.ranks.network")


def imported(path):
    """Full dotted names of all modules that a file imports, and of what it takes from them."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def files(pattern):
    return [pytest.param(p, id=str(p.relative_to(SCRIPTS))) for p in sorted(SCRIPTS.glob(pattern))]


def top(name):
    return name.split(".")[0]


def below(name, package):
    """What follows a package in a dotted name, part by part; nothing for other packages."""
    return name.removeprefix(f"{package}.").split(".") if name.startswith(f"{package}.") else []


@pytest.mark.parametrize("path", files("trainmark/**/*.py"))
def test_the_host_library_knows_neither_snakemake_nor_a_framework(path):
    found = {top(name) for name in imported(path)}
    assert not found & (FRAMEWORKS | {"snakemake"})


@pytest.mark.parametrize("path", files("trainmark/*/**/*.py"))
def test_a_room_imports_only_itself_and_the_rooms_before_it(path):
    room = path.relative_to(SCRIPTS / "trainmark").parts[0]
    allowed = [*HOST_ROOMS[: HOST_ROOMS.index(room) + 1], "errors", "files", "parent", "terminal"]
    for name in imported(path):
        assert not below(name, "trainmark") or below(name, "trainmark")[0] in allowed, name


@pytest.mark.parametrize("path", files("trainmark/*/*/**/*.py"))
def test_a_room_within_a_room_does_likewise(path):
    room, inner = path.relative_to(SCRIPTS / "trainmark").parts[:2]
    rooms = INNER_ROOMS.get(room, [])
    later = rooms[rooms.index(inner) + 1 :] if inner in rooms else []
    for name in imported(path):
        assert not below(name, f"trainmark.{room}") or (
            below(name, f"trainmark.{room}")[0] not in later
        ), name


@pytest.mark.parametrize("path", files("trainmark/**/*.py"))
def test_of_the_worker_the_host_uses_only_what_jobs_and_networks_are(path):
    for name in imported(path):
        assert top(name) != "worker" or name.startswith(SHARED), name


@pytest.mark.parametrize("path", files("*.py"))
def test_a_rules_script_uses_the_library_alone(path):
    assert {top(name) for name in imported(path)} <= STANDARD | {"trainmark"}


@pytest.mark.parametrize("name", plugins.names("network"))
def test_a_network_imports_the_builder_and_its_familys_blocks_at_most(name):
    neutral = [f"worker.networks.neutral.{module}." for module in ("builder", "initial")]
    for module in imported(plugins.path("network", name)):
        assert module.startswith((*neutral, "worker.networks.families.")), module


@pytest.mark.parametrize("path", files("worker/*/**/*.py"))
def test_a_room_of_the_worker_imports_only_itself_and_those_before_it(path):
    room = path.relative_to(SCRIPTS / "worker").parts[0]
    allowed = WORKER_ROOMS[: WORKER_ROOMS.index(room) + 1]
    for name in imported(path):
        parts = below(name, "worker")
        assert not parts or parts[0] in allowed or parts[0] not in WORKER_ROOMS, name


@pytest.mark.parametrize("path", files("worker/*.py"))
def test_the_workers_own_modules_import_no_room_but_the_runner_does(path):
    """And the contract of adapters, which are asked to build a network, knows what one is."""
    known = {"adapter": ["networks"], **dict.fromkeys(EXECUTED, WORKER_ROOMS)}.get(path.stem, [])
    for name in imported(path):
        room = below(name, "worker")[:1]
        assert not {*room} & {*WORKER_ROOMS} - {*known}, name


OUTSIDE_FRAMEWORKS = [
    file
    for file in files("worker/**/*.py")
    if not str(file.id).startswith(("worker/frameworks/", "worker/models/"))
]


@pytest.mark.parametrize("path", OUTSIDE_FRAMEWORKS)
def test_what_is_in_no_frameworks_folder_needs_no_framework(path):
    known = STANDARD | {"numpy", "worker", "lmdb", "PIL", "websocket"}
    if path.parent.name == "attacks" or path.stem == "victim":  # in the Toolbox's own environment
        known = known | {"art"}
    if path.parent.name == "exports":
        known = known | {"mlflow"}
    assert {top(name) for name in imported(path)} <= known


@pytest.mark.parametrize("path", files("worker/models/**/*.py"))
def test_the_files_of_a_format_need_what_writes_it_alone(path):
    others = {top(name) for name in imported(path)} - STANDARD - {"numpy", "worker"}
    assert others <= FORMATS.get(path.parent.name, set())


@pytest.mark.parametrize("path", files("worker/frameworks/*/*.py"))
def test_a_frameworks_folder_knows_no_other_framework_and_no_host_code(path):
    """But for those that it says it shares, because it takes another road to the same end."""
    own = path.parent.name
    facts = plugins.facts("framework", own)
    shared = (facts.get("ENVIRONMENT"), *facts.get("SHARES", ()))
    for name in imported(path):
        assert top(name) != "trainmark"
        other = below(name, "worker.frameworks")
        assert not other or other[0] in (own, *shared), name


@pytest.mark.parametrize("path", files("worker/frameworks/*/*.py"))
def test_the_files_of_a_framework_have_the_names_that_others_have(path):
    if path.stem != "__init__":
        assert path.with_name("adapter.py").exists()
