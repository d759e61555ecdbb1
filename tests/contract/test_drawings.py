"""The drawings in docs/develop show the workflow and the folders as they are."""

import re
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest

from trainmark.study import plugins

ROOT = Path(__file__).parents[2]
WORKFLOW = "docs/develop/workflow.md"
RULE = re.compile(r"^rule (\w+):", re.MULTILINE)
NODE = re.compile(r"^ +(\w+)[\[(]+\"", re.MULTILINE)
LOG = "dialect: caffe, framework: caffe, network: lenet, batch_size: 64, machine: a PC"
TARGETS = ["all", "environments", "parity", "compare", "combine", "phones", "paper_figures"]
TARGETS += ["mlflow_runs", "adopt", "prepare", "pack", "publish", "everything"]


def blocks(document, language):
    """The lines of all code blocks of a document in one language."""
    text = (ROOT / document).read_text(encoding="utf-8")
    return "\n".join(re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE))


def edges(lines):
    """Pairs of rules: `a & b --> c` gives (a, c) and (b, c)."""
    arrows = [line.split("-->") for line in lines.splitlines() if "-->" in line]
    ends = [[[name.strip() for name in end.split("&")] for end in arrow] for arrow in arrows]
    return {edge for sources, targets in ends for edge in product(sources, targets)}


@pytest.fixture(scope="module")
def rule_graph(recorded, tmp_path_factory):
    """Snakemake's own graph of all rules."""
    results = tmp_path_factory.mktemp("results")
    recorded.to_csv(results / "measurements.csv", index=False)
    settings = [
        "charts=[training_speed]",
        "frameworks=[pytorch, {framework: jax, releases: newest}]",
        f"baseline={results}",
        f"others=[{results}]",
        f"phones={{one: {results / 'measurements.csv'}}}",
        f"logs={{one: {{files: [{results / 'measurements.csv'}], {LOG}}}}}",
    ]
    command = ["-m", "snakemake", "--snakefile", ROOT / "Snakefile", "--rulegraph", "mermaid-js"]
    study = ("--configfile", ROOT / "config" / "config.yaml")
    graph = subprocess.run(
        [sys.executable, *command, *TARGETS, *study, "--config", *settings],
        cwd=tmp_path_factory.mktemp("empty"),
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    names = dict(re.findall(r"(id\d+)\[(\w+)\]", graph))
    return {(names[source], names[target]) for source, target in edges(graph)}


def test_the_workflow_draws_every_rule():
    files = [ROOT / "Snakefile", *(ROOT / "workflow" / "rules").glob("*.smk")]
    rules_by_file = [RULE.findall(path.read_text(encoding="utf-8")) for path in files]
    rules = {name for names in rules_by_file for name in names}
    drawn = NODE.findall(blocks(WORKFLOW, "mermaid"))
    assert sorted(drawn) == sorted(rules)


def test_the_workflow_draws_what_each_rule_needs(rule_graph):
    assert edges(blocks(WORKFLOW, "mermaid")) == rule_graph


def named_folders():
    """The folders that the tree in the code map names, from its indentation."""
    above = []
    for line in blocks("docs/develop/code-map.md", "text").splitlines():
        if name := re.match(r"( *)(\S+)/( |$)", line):
            depth = len(name[1]) // 2
            above[depth:] = [name[2]]
            yield "/".join(above)


def test_every_folder_that_is_named_is_there():
    for folder in named_folders():
        assert list(ROOT.glob(any_name(folder))), folder


def test_every_folder_of_the_scripts_is_named():
    patterns = [any_name(folder) for folder in named_folders()]
    files = [path for path in plugins.SCRIPTS.rglob("*.*") if path.suffix != ".pyc"]
    for folder in {path.parent.relative_to(ROOT) for path in files if path.is_file()}:
        alike = [pattern for pattern in patterns if pattern.count("/") == len(folder.parts) - 1]
        assert any(map(folder.match, alike)), folder


def any_name(folder):
    """The pattern of a folder's path: <framework> stands for any name."""
    return re.sub(r"<\w+>", "*", folder)
