"""What a run takes beyond its worker's own process: the time of Snakemake and the launcher.

usage: python benchmarks/overhead.py [--runs 8]

One run and then several of the numpy adapter are called; told is the difference, by the run, less
the seconds that their workers took.
"""

import argparse
import json
import tempfile
from pathlib import Path
from time import perf_counter

import yaml
from workflow import RESULTS, checkout, snakemake, study


def overhead(folder: Path, runs: int) -> None:
    """Time one run and several, and take their workers' own time off the difference."""
    checkout(folder)
    (folder / "study.yaml").write_text(yaml.safe_dump(study(1, runs, repeats=1)))
    paths = [
        f"{RESULTS}/runs/case-{number}/numpy-0/cpu/float32/train-dataset/r1/run.json"
        for number in range(runs)
    ]
    snakemake(folder, "--", paths[0])
    one = seconds(folder, "--force", "--", paths[0])
    all_others = seconds(folder, "--", *paths)
    worker_seconds = [json.loads((folder / path).read_text())["wall_seconds"] for path in paths]
    between = (all_others - sum(worker_seconds[1:]) - (one - worker_seconds[0])) / (runs - 2)
    print(
        f"overhead of a run beyond its worker: {between:.2f} s (worker: {worker_seconds[0]:.2f} s)"
    )


def seconds(folder: Path, *arguments: str) -> float:
    """How long a call of Snakemake takes."""
    start = perf_counter()
    snakemake(folder, *arguments)
    return perf_counter() - start


def main() -> None:
    """Print it, of a checkout of its own."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=8, help="at least 3")
    runs = parser.parse_args().runs
    if runs < 3:
        parser.error("--runs: at least 3, as the difference of two numbers of runs is taken")
    with tempfile.TemporaryDirectory() as folder:
        overhead(Path(folder), runs)


if __name__ == "__main__":
    main()
