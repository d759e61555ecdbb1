"""What the workflow itself costs: studies of many runs, beside bare Snakemake.

usage: python benchmarks/workflow.py [--sizes 405 2025 10000] [--rounds 3]

Of each study a dry run before anything is made, and a call once all of it is, are timed in turns
with those of a Snakefile that has as many runs with the same files, and nothing of trainmark.
Then its tables, its figures and its page are made from recorded runs (tests/data/study) under its
own names, each by a process of its own, as Snakemake has it done. Told are seconds of the processor
(median of the rounds; of all processes together) and the most memory of a process.
"""

import argparse
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import yaml
from copied_runs import RECORDED, copy
from places import ROOT, SCRIPTS

from trainmark.study import plan, plugins

SIZES = {9: (3, 3, 1), 81: (9, 9, 1), 405: (9, 9, 5), 2025: (9, 9, 25), 10_000: (10, 10, 100)}
"""Frameworks, cases and repeats of a study, by the number of its runs."""
CASE = {
    "network": "lenet",
    "dataset": "digits",
    "batch_size": 16,
    "warmup_limit_seconds": 0,
    "steps": 4,
    "learning_rate": 0.01,
    "evaluate": False,
}
TABLE_KINDS = ("csv", "md", "txt", "tex", "html")
FIGURE_KINDS = ("csv", "svg")
OK_RUNS = [run for run in RECORDED if "lenet-digits" in run.parts]
RESULTS = "results/large"
PAGE = f"{RESULTS}/report.html"
MADE_BEFORE = {
    "environments/numpy.json": {"environment": "numpy"},
    "data/digits/source.json": {"dataset": "digits"},
    "data/digits/lmdb/dataset.json": {"dataset": "digits", "format": "lmdb"},
}
"""Files that runs need, with their content: empty ones would be deleted as damaged."""
COPIED = ("study", "case", "framework", "adapter", "environment", "repeat")
# Of itself, so that a process counts no memory of the one that starts it.
MEASURED = """
import os, subprocess, sys
process = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)
_, status, usage = os.wait4(process.pid, 0)
print(usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024 / 1e6)
sys.exit(os.waitstatus_to_exitcode(status))
"""
# Which otherwise looks at all jobs before each of them, and waits a tenth of a second.
TOUCHING = """
from snakemake import cli
from snakemake.executors import touch
from snakemake.scheduling import greedy
greedy.Scheduler.select_jobs = lambda self, jobs, *others: jobs
touch.Executor.SLEEPING_TIME = 0
cli.main()
"""
CALLED = """
import importlib, json, sys
sys.path.insert(0, sys.argv[1])
importlib.import_module(sys.argv[2]).main(*json.load(sys.stdin))
"""
BARE = Path(__file__).with_name("bare.smk").read_text(encoding="utf-8")


class Usage(NamedTuple):
    """What a process and those that it started took."""

    seconds: float
    megabytes: float


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
            "threads": 1,
            "patience": {"attempts": 1, "wait_seconds": 0},
            "interpreters": {"numpy": sys.executable},
        },
    }


def measured(folder: Path, *command: str, stdin: str = "") -> Usage:
    """Run a command there, with a text as its input."""
    measuring = [sys.executable, "-I", "-S", "-c", MEASURED, *command]
    done = subprocess.run(
        measuring, cwd=folder, input=stdin, stdout=subprocess.PIPE, check=True, text=True
    )
    return Usage(*map(float, done.stdout.split()))


def snakemake(folder: Path, *arguments: str, called: Sequence[str] = ("-m", "snakemake")) -> Usage:
    """Call Snakemake there, as profiles/default has it, on the study if there is one."""
    profile = "--workflow-profile", str(ROOT / "profiles" / "default")
    study_options = ("--configfile", "study.yaml") if (folder / "study.yaml").exists() else ()
    command = sys.executable, *called, "--quiet", "all", *profile, *study_options, *arguments
    return measured(folder, *command)


def script(folder: Path, name: str, *arguments: Any) -> Usage:
    """Do what the rule of that name does, in a process of its own."""
    command = sys.executable, "-c", CALLED, str(SCRIPTS), name
    return measured(folder, *command, stdin=json.dumps(arguments))


def made(folder: Path, study_plan: plan.Plan) -> Iterable[Path]:
    """Each file of the study that nothing but a run makes."""
    results = folder / "results"
    yield results / "environments/numpy/.complete"
    yield from (results / name for name in MADE_BEFORE)
    yield from (results / f"references/{run.reference}.npz" for run in study_plan.runs.values())
    yield from (results / f"large/{source}.csv" for source in plugins.names("csv"))
    yield from (results / "large" / name for name in ("events.jsonl", "report.html"))
    for table in (*plugins.names("table"), "settings"):
        yield from (results / f"large/tables/{table}.{kind}" for kind in TABLE_KINDS)
    for figure in plugins.names("figure"):
        yield from (results / f"large/figures/{figure}/{figure}.{kind}" for kind in FIGURE_KINDS)


def write_results(folder: Path, study_plan: plan.Plan) -> None:
    """Put recorded runs and otherwise empty files there, so that `--touch` can call them made."""
    for path in made(folder, study_plan):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    for name, content in MADE_BEFORE.items():
        (folder / "results" / name).write_text(json.dumps(content))
    for path in (folder / "results/references").iterdir():
        np.savez(path, weights=np.zeros(1))
    for run in study_plan.runs.values():
        framework = int(run.settings["framework"].removeprefix("numpy-"))
        number = 3 * framework + run.settings["repeat"] % 3  # of each framework there are three
        settings = {name: run.settings[name] for name in COPIED}
        folder_of_run = folder / "results/large/runs" / run.path
        copy(OK_RUNS[number % len(OK_RUNS)], folder_of_run, **settings)


def calls(folder: Path, size: int, rounds: int) -> None:
    """Measure dry runs of a study of which nothing is made, and calls when all of it is."""
    frameworks, cases, repeats = SIZES[size]
    content = study(frameworks, cases, repeats)
    ours, bare = folder / "ours", folder / "bare"
    checkout(ours)
    (ours / "study.yaml").write_text(yaml.safe_dump(content))
    bare.mkdir()
    counts = f"FRAMEWORKS, CASES, REPEATS = {frameworks}, {cases}, {repeats}\n"
    (bare / "Snakefile").write_text(counts + BARE)
    (bare / "train.py").touch()
    in_turns(f"dry run of {size} runs", folder, rounds, "--dry-run")
    write_results(ours, plan.make(content, ours / "envs"))
    shutil.copytree(ours / "results", bare / "results")
    (bare / "results/references/lenet.npz").touch()
    for side in (ours, bare):  # all of it, so that Snakemake has taken note of each run
        snakemake(side, "--touch", "--forceall", called=("-c", TOUCHING))
    in_turns(f"nothing to do of {size} runs", folder, rounds)


def in_turns(title: str, folder: Path, rounds: int, *arguments: str) -> None:
    """Call Snakemake on both and print what that took."""
    turns = [
        [snakemake(folder / side, *arguments) for side in ("ours", "bare")] for _ in range(rounds)
    ]
    ours, bare = (usual(usages) for usages in zip(*turns, strict=True))
    ratio = ours.seconds / bare.seconds
    print(
        f"{title}: {in_words(ours)}; bare Snakemake {in_words(bare)}; {ratio:.2f} times", flush=True
    )


def shown(folder: Path, size: int) -> None:
    """Measure what makes the tables, the figures and the page of the runs that are there."""
    study_plan = plan.make(yaml.safe_load((folder / "study.yaml").read_text()), folder / "envs")
    for name, steps in jobs(study_plan).items():
        usages = [script(folder, *step) for step in steps]
        print(f"{name} of {size} runs: {in_words(together(usages))}", flush=True)
    print(f"its page: {(folder / PAGE).stat().st_size / 1e6:.1f} MB", flush=True)


def jobs(study_plan: plan.Plan) -> dict[str, list[tuple[Any, ...]]]:
    """The scripts from runs to page, and what each is called with."""
    records = [f"{RESULTS}/runs/{path}/run.json" for path in study_plan.runs]
    read = {name: f"{RESULTS}/{name}.csv" for name in plugins.names("csv")}
    events, parquet = f"{RESULTS}/events.jsonl", f"{RESULTS}/measurements.parquet"
    tables = study_plan.config["tables"]
    figures = plugins.applicable("figure", [run.settings for run in study_plan.runs.values()])
    pictures = [f"{RESULTS}/figures/{name}/{name}.svg" for name in figures]

    sources = {**read, "measurements": parquet}

    def shows(kind: str, name: str, path: str, endings: Iterable[str]) -> tuple[Any, ...]:
        source = sources[plugins.facts(kind, name).get("SOURCE", "measurements")]
        return kind, name, source, "", [f"{path}.{ending}" for ending in endings]

    return {
        "events": [("events", records, events)],
        "measurements": [("measurements", events, records, {}, {**read, "parquet": parquet})],
        "tables": [
            shows("table", name, f"{RESULTS}/tables/{name}", TABLE_KINDS) for name in tables
        ],
        "figures": [
            shows("figure", name, f"{RESULTS}/figures/{name}/{name}", FIGURE_KINDS)
            for name in figures
        ],
        "page": [("page", list(sources.values()), tables, pictures, records, "snakemake", PAGE)],
    }


def usual(usages: Sequence[Usage]) -> Usage:
    """The median of several rounds."""
    return Usage(*map(statistics.median, zip(*usages, strict=True)))


def together(usages: Sequence[Usage]) -> Usage:
    """The usage of several processes, one after the other."""
    return Usage(sum(usage.seconds for usage in usages), max(usage.megabytes for usage in usages))


def in_words(usage: Usage) -> str:
    """Seconds and megabytes of a usage as text."""
    return f"{usage.seconds:.1f} s, {usage.megabytes:.0f} MB"


def main() -> None:
    """Print all rows, of each size from a checkout of its own."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--sizes", type=int, nargs="*", choices=SIZES, default=[405, 2025, 10_000])
    arguments = parser.parse_args()
    for size in arguments.sizes:
        with tempfile.TemporaryDirectory() as folder:
            calls(Path(folder), size, arguments.rounds)
            shown(Path(folder, "ours"), size)


if __name__ == "__main__":
    main()
