"""What the workflow itself costs: dry runs and idle calls of large studies, and one run's overhead.

usage: python benchmarks/workflow.py [--rounds 3] [--repeats 5 25] [--runs 8]

The studies have 81 configurations, of so many repeats each. Seconds are of this machine; the
medians of the rounds are given with the slowest one. A run's overhead is what Snakemake and the
launcher add to the worker's own process.
"""

import argparse
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter
from typing import Any

import yaml

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "workflow" / "scripts"))

from trainmark.analyse import sources  # noqa: E402
from trainmark.study import plan, plugins  # noqa: E402

CASE = {
    "network": "lenet",
    "dataset": "digits",
    "batch_size": 16,
    "steps": 4,
    "learning_rate": 0.01,
    "evaluate": False,
}
TABLE_KINDS = ("csv", "md", "txt", "tex", "html")
FIGURE_KINDS = ("csv", "svg", "pdf", "png")


def checkout(folder: Path) -> None:
    """Copy what Snakemake needs of the project."""
    for name in ("workflow", "config", "profiles", "envs"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("*.pyc"))
    shutil.copy(ROOT / "Snakefile", folder)


def study(frameworks: int, cases: int, repeats: int) -> dict[str, Any]:
    """A study of the numpy adapter, entered under several names, on several cases."""
    return {
        "study": "large",
        "protocol": 1,
        "repeats": repeats,
        "seed": 1,
        "frameworks": [
            {"framework": f"numpy-{number}", "adapter": "numpy"} for number in range(frameworks)
        ],
        "cases": {f"case-{number}": CASE for number in range(cases)},
        "machine": {
            "patience": {"attempts": 1, "wait_seconds": 0},
            "interpreters": {"numpy": sys.executable},
        },
    }


def snakemake(folder: Path, *arguments: str) -> float:
    """Call Snakemake on the study there; the seconds it took."""
    command = [sys.executable, "-m", "snakemake", "--quiet", "all", "--configfile", "study.yaml"]
    start = perf_counter()
    subprocess.run([*command, *arguments], cwd=folder, check=True, capture_output=True)
    return perf_counter() - start


def write_results(folder: Path, content: dict[str, object]) -> None:
    """Put empty files where the study's results go, so that `--touch` can call them made."""
    runs = plan.make(content, folder / "envs").runs.values()
    results = folder / "results"
    made = [results / "environments/numpy.json", results / "environments/numpy/.complete"]
    made += [results / "data/digits" / name for name in ("source.json", "lmdb/dataset.json")]
    made += [results / f"references/{run.reference}.npz" for run in runs]
    made += [results / "large/runs" / run.path / "run.json" for run in runs]
    made += [results / "large" / name for name in ("events.jsonl", "report.html")]
    made += [results / f"large/{source}.csv" for source in sources.READERS]
    for table in plugins.names("table"):
        made += [results / f"large/tables/{table}.{kind}" for kind in TABLE_KINDS]
    for figure in plugins.names("figure"):
        made += [results / f"large/figures/{figure}/{figure}.{kind}" for kind in FIGURE_KINDS]
    for path in made:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()


def scale(folder: Path, repeats: int, rounds: int) -> None:
    """Time dry runs of a study of which nothing is made, and calls when all of it is."""
    content = study(frameworks=9, cases=9, repeats=repeats)
    (folder / "study.yaml").write_text(yaml.safe_dump(content))
    dry = [snakemake(folder, "--dry-run") for _ in range(rounds)]
    write_results(folder, content)
    snakemake(folder, "--touch")
    idle = [snakemake(folder) for _ in range(rounds)]
    tell(f"dry run of {81 * repeats} runs", dry)
    tell(f"nothing to do of {81 * repeats} runs", idle)


def overhead(folder: Path, runs: int) -> None:
    """Time one run and several, and take their workers' own time off the difference."""
    (folder / "study.yaml").write_text(yaml.safe_dump(study(1, runs, repeats=1)))
    paths = [
        f"results/large/runs/case-{number}/numpy-0/cpu/float32/train-dataset/r1/run.json"
        for number in range(runs)
    ]
    snakemake(folder, "--", paths[0])
    one = snakemake(folder, "--force", "--", paths[0])
    all_others = snakemake(folder, "--", *paths)
    own = [json.loads((folder / path).read_text())["wall_seconds"] for path in paths]
    between = (all_others - sum(own[1:]) - (one - own[0])) / (runs - 2)
    print(f"overhead of a run beyond its worker: {between:.2f} s (worker: {own[0]:.2f} s)")


def tell(title: str, seconds: list[float]) -> None:
    """Print a row."""
    print(f"{title}: {statistics.median(seconds):.1f} s (slowest {max(seconds):.1f} s)")


def main() -> None:
    """Print all rows, each from a checkout of its own."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--repeats", type=int, nargs="+", default=[5, 25])
    parser.add_argument("--runs", type=int, default=8, help="of which the overhead is told")
    arguments = parser.parse_args()
    for repeats in arguments.repeats:
        with tempfile.TemporaryDirectory() as folder:
            checkout(Path(folder))
            scale(Path(folder), repeats, arguments.rounds)
    with tempfile.TemporaryDirectory() as folder:
        checkout(Path(folder))
        overhead(Path(folder), arguments.runs)


if __name__ == "__main__":
    main()
