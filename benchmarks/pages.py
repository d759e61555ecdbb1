"""How large the page of a study is, how long it takes to be made, and to open in a browser.

usage: python benchmarks/pages.py [--runs 162 2000] [--rounds 3]

The runs are those recorded in tests/data/study, again and again as further cases, with figures of
the default study. Printed are the page's bytes beside the library that draws, and seconds of this
machine: to make it, and, as the median of the rounds, from its address to the results, which
can be chosen from then on.
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
from functools import partial
from itertools import islice
from pathlib import Path
from time import perf_counter

import pandas as pd
from copied_runs import RECORDED, STUDY, copy
from interpreters import framework_interpreter
from places import SCRIPTS

from trainmark.analyse.csv import measurements, steps
from trainmark.analyse.run.events import event_lines, events_by_folder
from trainmark.analyse.run.recording import read_run
from trainmark.report.draw.saving import save_figure
from trainmark.report.page import document, study
from trainmark.report.page.packing import packed
from trainmark.report.page.runs import read
from trainmark.runs.job import BROWSER
from trainmark.study import plugins

TABLES = ["summary", "pairs", "parity"]
FIGURES = ["training_speed", "relative_speed", "step_time", "step_times", "parity"]
OPEN = """
import sys, time
sys.path.append(sys.argv[1])
from worker.browser.page import Page
page = Page(sys.argv[2], sys.argv[3])
while page.call("document.body.dataset.opened") != "yes":
    time.sleep(0.02)
print(page.call("performance.now()"))
"""


def many(count: int, folder: Path) -> dict[str, pd.DataFrame]:
    """So many runs in a folder, and the tables that are made of them."""
    copies = ((number, run) for number in range(count) for run in RECORDED)
    for number, run in islice(copies, count):
        case = f"{run.relative_to(STUDY).parts[1]}-{number}"
        copy(run, folder / str(number) / run.relative_to(STUDY), case=case)
    logs = sorted(folder.rglob("worker.log"))
    by_folder = events_by_folder(event_lines(logs))
    runs = [read_run(log.parent, by_folder.get(str(log.parent), {})) for log in logs]
    tables = {
        "measurements": measurements.tabulate(runs),
        "steps": steps.tabulate(runs),
    }
    for name, table in tables.items():
        table.to_csv(folder / f"{name}.csv", index=False)
    return {name: measurements.read(folder / f"{name}.csv") for name in tables}


def drawn(sources: dict[str, pd.DataFrame], folder: Path) -> list[Path]:
    """The figures of these tables."""
    paths = []
    for name in FIGURES:
        plugin, facts = plugins.load("figure", name), plugins.facts("figure", name)
        data = plugin.data(sources[facts.get("SOURCE", "measurements")])
        path = folder / f"{name}.svg"
        files = [str(path), str(path.with_suffix(".csv"))]
        save_figure(partial(plugin.draw, data, facts["TITLE"]), data, files)
        paths.append(path)
    return paths


def seconds_to_open(page: Path) -> float:
    """From the page's address to what is seen first, in a browser started for it."""
    web = framework_interpreter("web")
    if web is None:
        sys.exit("no browser: build the environment web (.venv/bin/snakemake environments)")
    command = [web.python, "-I", "-c", OPEN, str(SCRIPTS), web.variables[BROWSER], page.as_uri()]
    done = subprocess.run(command, env=web.variables, stdout=subprocess.PIPE, text=True, check=True)
    return float(done.stdout) / 1000


def main(counts: list[int], rounds: int) -> None:
    """Make and open a page of each number of runs."""
    library = len(packed(document.library()))
    print(f"the library, packed: {library / 1e6:.2f} MB")
    for count in counts:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            sources = many(count, folder)
            drawings = drawn(sources, folder)
            runs = list(map(read, sorted(folder.rglob("run.json"))))
            begin = perf_counter()
            text = study.html(sources, TABLES, drawings, runs, "snakemake")
            made = perf_counter() - begin
            page = folder / "report.html"
            page.write_text(text, encoding="utf-8")
            opened = statistics.median(seconds_to_open(page) for _ in range(rounds))
            megabytes = (len(text.encode()) - library) / 1e6
            print(f"{count} runs: {megabytes:.2f} MB, made in {made:.1f} s, open in {opened:.2f} s")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Measure the page.")
    parser.add_argument("--runs", type=int, nargs="+", default=[162, 2000])
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    main(arguments.runs, arguments.rounds)
