"""hosts.csv and the table of it: what measured."""

from dataclasses import replace

import pytest

from trainmark.analyse.csv import hosts
from trainmark.analyse.run.recording import Run
from trainmark.report.tables import hardware

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
    """Two runs on a machine without GPUs, and one on two GPUs and a second node."""
    ok = [run for run in recorded_runs if run.record["status"] == "ok"]
    return [ok[0], ok[1], with_gpus(ok[2], H200, H200)]


def test_a_row_for_each_node_of_a_run(runs):
    table = hosts.tabulate(runs)
    assert table["node"].tolist() == [1, 1, 1, 2]
    assert table["cores"].tolist() == [2, 2, 2, 64]
    gpu = "NVIDIA H200 (140 GiB, at most 700 W, architecture 9.0, driver 580.159.04)"
    assert table["gpus"].dropna().tolist() == [f"2 x {gpu}"]


def test_a_column_for_each_hardware(runs):
    table = hardware.make(hosts.tabulate(runs))
    assert table["runs"].tolist() == [2, 1, 1]
    shown = hardware.show(table).set_index("hardware")
    assert shown.loc["memory", "1"] == "8.0 GiB"
    assert shown.loc["cores"].tolist()[1:] == ["2", "2", "64"]
    assert "microcode" not in shown.index  # not known of any


def test_a_study_without_a_measured_run_has_no_hardware(recorded_runs):
    failed = [run for run in recorded_runs if run.record["status"] != "ok"]
    table = hardware.make(hosts.tabulate(failed))
    assert table.empty
    assert hardware.show(table).empty
