"""Who may import whom (docs/develop/code-map.md): read from the syntax trees, not from habit."""

import ast
import sys
from functools import cache
from pathlib import Path

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
    "timing",
    "accuracy",
    "own_loops",
    "ranks",
    "models",
    "browser",
    "frameworks",
    "proof",
    "attacks",
    "stages",
]
"""Likewise, behind the worker's own modules but adapter.py and run.py, which is last."""
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


@cache
def imported(path):
    """Full dotted names of all modules that a file imports, and of what it takes from them."""
    names = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names += [f"{node.module}.{alias.name}" for alias in node.names]
    return names


def imports(pattern):
    """Each file of a pattern with each name that it imports."""
    files = sorted(SCRIPTS.glob(pattern))
    assert files, f"no file {pattern}"
    return [(path, name) for path in files for name in imported(path)]


def lines(violations):
    """One line for each, of the file and what it imports."""
    return [f"{path.relative_to(SCRIPTS)}: {name}" for path, name in violations]


def top(name):
    return name.split(".")[0]


def below(name, package):
    """What follows a package in a dotted name, part by part; nothing for other packages."""
    return name.removeprefix(f"{package}.").split(".") if name.startswith(f"{package}.") else []


def room(path, package):
    """The room of a package in which a file is, and the room within that."""
    return path.relative_to(SCRIPTS / package).parts[:2]


def test_the_host_library_knows_neither_snakemake_nor_a_framework():
    forbidden = FRAMEWORKS | {"snakemake"}
    pairs = imports("trainmark/**/*.py")
    assert lines((path, name) for path, name in pairs if top(name) in forbidden) == []


def may_import(path, name):
    """Whether a name is of the file's room of the host, of one before it, or of another package."""
    name_of_room, _ = room(path, "trainmark")
    allowed = [
        *HOST_ROOMS[: HOST_ROOMS.index(name_of_room) + 1],
        "errors",
        "files",
        "parent",
        "terminal",
    ]
    return not below(name, "trainmark") or below(name, "trainmark")[0] in allowed


def test_a_room_imports_only_itself_and_the_rooms_before_it():
    pairs = imports("trainmark/*/**/*.py")
    assert lines(each for each in pairs if not may_import(*each)) == []


def is_of_a_later_room(path, name):
    """Whether a name is of a room within the file's room that is behind the file's own."""
    outer, inner = room(path, "trainmark")
    rooms = INNER_ROOMS.get(outer, [])
    later = rooms[rooms.index(inner) + 1 :] if inner in rooms else []
    return below(name, f"trainmark.{outer}")[:1] in [[each] for each in later]


def test_a_room_within_a_room_does_likewise():
    pairs = imports("trainmark/*/*/**/*.py")
    assert lines(each for each in pairs if is_of_a_later_room(*each)) == []


def test_of_the_worker_the_host_uses_only_what_jobs_and_networks_are():
    pairs = imports("trainmark/**/*.py")
    of_worker = [(path, name) for path, name in pairs if top(name) == "worker"]
    assert lines((path, name) for path, name in of_worker if not name.startswith(SHARED)) == []


def test_a_rules_script_uses_the_library_alone():
    allowed, pairs = STANDARD | {"trainmark"}, imports("*.py")
    assert lines((path, name) for path, name in pairs if top(name) not in allowed) == []


def test_a_network_imports_the_builder_and_its_familys_blocks_at_most():
    neutral = [f"worker.networks.neutral.{module}." for module in ("builder", "initial")]
    allowed = (*neutral, "worker.networks.families.")
    paths = [plugins.path("network", name) for name in plugins.names("network")]
    pairs = [(path, name) for path in paths for name in imported(path)]
    assert lines((path, name) for path, name in pairs if not name.startswith(allowed)) == []


def is_of_a_later_room_of_the_worker(path, name):
    name_of_room, _ = room(path, "worker")
    later = WORKER_ROOMS[WORKER_ROOMS.index(name_of_room) + 1 :]
    return below(name, "worker")[:1] in [[each] for each in later]


def test_a_room_of_the_worker_imports_only_itself_and_those_before_it():
    pairs = imports("worker/*/**/*.py")
    assert lines(each for each in pairs if is_of_a_later_room_of_the_worker(*each)) == []


def test_the_workers_own_modules_import_no_room_but_the_runner_does():
    """And the contract of adapters, which are asked to build a network, knows what one is."""
    also_allowed = {"adapter": ["networks"], "run": WORKER_ROOMS}
    assert (
        lines(
            (path, name)
            for path, name in imports("worker/*.py")
            if {*below(name, "worker")[:1]} & {*WORKER_ROOMS} - {*also_allowed.get(path.stem, [])}
        )
        == []
    )


def packages(path):
    """Those that a file of the worker outside the frameworks' folders may import."""
    allowed = STANDARD | {"numpy", "worker", "lmdb", "PIL", "websocket"}
    if path.parent.name == "attacks" or path.stem == "victim":  # in the Toolbox's own environment
        allowed = allowed | {"art"}
    if path.parent.name == "exports":
        allowed = allowed | {"mlflow"}
    return allowed


def test_what_is_in_no_frameworks_folder_needs_no_framework():
    folders = (SCRIPTS / "worker/frameworks", SCRIPTS / "worker/models")
    assert (
        lines(
            (path, name)
            for path, name in imports("worker/**/*.py")
            if not {*folders} & {*path.parents} and top(name) not in packages(path)
        )
        == []
    )


def test_the_files_of_a_format_need_what_writes_it_alone():
    assert (
        lines(
            (path, name)
            for path, name in imports("worker/models/**/*.py")
            if top(name)
            not in STANDARD | {"numpy", "worker"} | FORMATS.get(path.parent.name, set())
        )
        == []
    )


def is_of_another_framework(path, name):
    """But for those that a framework says it shares, because it takes another road to one end."""
    name_of_room = path.parent.name
    facts = plugins.facts("framework", name_of_room)
    shared = (name_of_room, facts.get("ENVIRONMENT"), *facts.get("SHARES", ()))
    other = below(name, "worker.frameworks")
    return bool(other) and other[0] not in shared


def test_a_frameworks_folder_knows_no_other_framework_and_no_host_code():
    pairs = imports("worker/frameworks/*/*.py")
    assert (
        lines(
            (path, name)
            for path, name in pairs
            if top(name) == "trainmark" or is_of_another_framework(path, name)
        )
        == []
    )


def test_the_files_of_a_framework_have_the_names_that_others_have():
    files = SCRIPTS.glob("worker/frameworks/*/*.py")
    folders = {path.parent for path in files if path.stem != "__init__"}
    assert folders
    assert [folder.name for folder in folders if not (folder / "adapter.py").exists()] == []
