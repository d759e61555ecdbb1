"""hosts.csv and the table of it: what measured."""

import re
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from trainmark.analyse import csv
from trainmark.analyse.csv import hosts
from trainmark.analyse.run.recording import Run
from trainmark.files import DamagedFile
from trainmark.report.tables import hardware
from trainmark.report.words import writers

H200 = {
    "name": "NVIDIA H200",
    "memory_bytes": 140 * 2**30,
    "power_limit_watts": 700.0,
    "compute_capability": "9.0",
    "driver": "580.159.04",
}


def with_gpus(run: Run, *gpus: object) -> Run:
    """The run as if it had used these GPUs, and a second node without any."""
    origin = run.record["provenance"]
    nodes = [{"host": origin["host"] | {"cores": 64}, "gpus": []}] if gpus else []
    return replace(run, record=run.record | {"provenance": origin | {"gpus": gpus, "nodes": nodes}})


@pytest.fixture
def runs(recorded_runs: list[Run]) -> list[Run]:
    """A run that failed, two on a machine without GPUs, and one on two GPUs and a second node."""
    ok = [run for run in recorded_runs if run.record["status"] == "ok"]
    failed = [run for run in recorded_runs if run.record["status"] != "ok"]
    return [failed[0], ok[0], ok[1], with_gpus(ok[2], H200, H200)]


@pytest.fixture
def written(tmp_path: Path):
    """Read hosts.csv of some runs."""

    def write(runs: list[Run]) -> pd.DataFrame:
        hosts.tabulate(runs).to_csv(tmp_path / "hosts.csv", index=False)
        return hosts.read(tmp_path / "hosts.csv")

    return write


def test_a_row_for_each_node_of_a_run(runs, written):
    table = written(runs)
    assert table["node"].dropna().tolist() == [1, 1, 1, 2]
    assert table["cores"].dropna().tolist() == [2, 2, 2, 64]
    gpu = "NVIDIA H200 (140 GiB, at most 700 W, architecture 9.0, driver 580.159.04)"
    assert table["gpus"].dropna().tolist() == [f"2 x {gpu}"]


def test_runs_that_know_less_of_the_same_hardware_are_of_it(runs, written):
    """Those without GPUs are of the first node of the run with them."""
    table = hardware.make(written(runs))
    assert table[["node", "cores", "runs"]].values.tolist() == [[1, 2, 3], [2, 64, 1]]


def test_runs_that_know_something_else_are_of_other_hardware(runs, written):
    table = written(runs[1:3]).assign(microcode=["0x1", None], memory_bytes=[pd.NA, 2**33])
    assert hardware.make(table)["runs"].tolist() == [1, 1]


def test_a_text_has_each_fact_once(runs, written):
    text = writers.text(writers.table_of(hardware, written(runs)))
    first, second = text.split("2. 1 run, node 2")
    assert "1. 3 runs, node 1" in first
    for fact in (r"cores\s+2\n", r"memory\s+8.0 GiB\n", r"GPUs\s+2 x NVIDIA H200"):
        assert len(re.findall(fact, first)) == 1
    assert re.search(r"cores\s+64\n", second)
    assert "microcode" not in text  # not known of any


@pytest.mark.parametrize("cores", ["1.5", "1e400", "two"])
def test_a_damaged_count_is_named_with_its_file(runs, tmp_path, cores):
    path = tmp_path / "hosts.csv"
    hosts.tabulate(runs).astype({"cores": object}).assign(cores=cores).to_csv(path, index=False)
    with pytest.raises(DamagedFile, match=r"hosts\.csv"):
        csv.read(path)


def test_a_study_without_a_measured_run_has_no_hardware(runs, written):
    table = hardware.make(written(runs[:1]))
    assert table.empty
    assert hardware.show(table).empty
