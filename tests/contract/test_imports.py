"""Who may import whom (docs/develop/code-map.md): read from the syntax trees, not from habit."""

import ast
import sys
from functools import cache
from pathlib import Path

from trainmark.study import plugins

SCRIPTS = Path(__file__).parents[2] / "workflow" / "scripts"
HOST_PACKAGES = ["study", "machine", "environments", "data", "runs", "packed", "watch"]
HOST_PACKAGES += ["analyse", "report"]
"""Each may import itself and those before it."""
INNER_PACKAGES = {
    "data": ["obtain", "read", "write", "formats", "datasets", "variants"],
    "analyse": ["run", "csv", "compare", "along", "trained", "published", "sets"],
    "report": ["words", "draw", "charts", "tables", "figures", "published", "page", "compare"],
}
"""Each inner package may import itself and those before it; the files beside them, all of them."""
WORKER_PACKAGES = [
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
"""Each may import itself and those before it; run.py may import all of them."""
FRAMEWORKS = {"torch", "tensorflow", "mxnet", "jax", "cntk", "caffe", "caffe2", "theano", "keras"}
FRAMEWORKS |= {"openvino", "executorch", "torchao"}
FORMATS = {
    "onnx": {"onnx", "onnxruntime"},
    "tflite": {"ai_edge_litert", "ai_edge_quantizer", "flatbuffers"},
}
"""What writes each format of models, and quantises it."""
FRAMEWORKS = FRAMEWORKS.union(*FORMATS.values())
STANDARD = set(sys.stdlib_module_names)

# Of the worker the host knows what devices, precisions and networks are, how readers resize, which
# options all adapters have, and by which variables the processes of several nodes find each other.
SHARED = ("worker.devices", "worker.networks", "worker.precisions", "worker.input.dataset")
SHARED += ("worker.support", "worker.ranks.nodes", "worker.ranks.network")


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


def packages_of(path, package):
    """The inner package in which a file is, and the one within that."""
    return path.relative_to(SCRIPTS / package).parts[:2]


def test_the_host_library_knows_neither_snakemake_nor_a_framework():
    forbidden = FRAMEWORKS | {"snakemake"}
    pairs = imports("trainmark/**/*.py")
    assert lines((path, name) for path, name in pairs if top(name) in forbidden) == []


def may_import(path, name):
    """Whether a name is of the file's package of the host, of one before it, or not of the host."""
    its_package, _ = packages_of(path, "trainmark")
    allowed = [
        *HOST_PACKAGES[: HOST_PACKAGES.index(its_package) + 1],
        "errors",
        "files",
        "parent",
        "terminal",
    ]
    return not below(name, "trainmark") or below(name, "trainmark")[0] in allowed


def test_a_package_imports_only_itself_and_those_before_it():
    pairs = imports("trainmark/*/**/*.py")
    assert lines(each for each in pairs if not may_import(*each)) == []


def is_of_a_later_inner_package(path, name):
    """Whether a name is of an inner package behind the file's own, within the same package."""
    outer, inner = packages_of(path, "trainmark")
    inner_packages = INNER_PACKAGES.get(outer, [])
    later = inner_packages[inner_packages.index(inner) + 1 :] if inner in inner_packages else []
    return below(name, f"trainmark.{outer}")[:1] in [[each] for each in later]


def test_every_inner_package_has_its_place():
    for outer, inner in INNER_PACKAGES.items():
        folders = {path.parent.name for path in (SCRIPTS / "trainmark" / outer).glob("*/*.py")}
        assert folders == {*inner}


def test_an_inner_package_imports_only_itself_and_those_before_it():
    pairs = imports("trainmark/*/*/**/*.py")
    assert lines(each for each in pairs if is_of_a_later_inner_package(*each)) == []


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


def is_of_a_later_package_of_the_worker(path, name):
    its_package, _ = packages_of(path, "worker")
    later = WORKER_PACKAGES[WORKER_PACKAGES.index(its_package) + 1 :]
    return below(name, "worker")[:1] in [[each] for each in later]


def test_a_package_of_the_worker_imports_only_itself_and_those_before_it():
    pairs = imports("worker/*/**/*.py")
    assert lines(each for each in pairs if is_of_a_later_package_of_the_worker(*each)) == []


def test_the_workers_own_modules_import_no_package_but_the_runner_does():
    """And the contract of adapters, which are asked to build a network, knows what one is."""
    also_allowed = {"adapter": ["networks"], "run": WORKER_PACKAGES}
    assert (
        lines(
            (path, name)
            for path, name in imports("worker/*.py")
            if {*below(name, "worker")[:1]}
            & {*WORKER_PACKAGES} - {*also_allowed.get(path.stem, [])}
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
    framework = path.parent.name
    facts = plugins.facts("framework", framework)
    shared = (framework, facts.get("ENVIRONMENT"), *facts.get("SHARES", ()))
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
