"""A study of two machines, both of which are this one: no executor is there to find another."""

import json
from pathlib import Path

import pandas as pd
import pytest
from small_checkout import CASE, MEASUREMENTS, STUDY, Checkout

ONE = {**STUDY, "cases": {"first": CASE}}
K20 = {"resources": {"slurm_partition": "gpu", "gpu": 1}, "queued": 1}
HERE = "are measured on this one"


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    return Checkout(tmp_path_factory.mktemp("machines"))


@pytest.fixture(scope="module")
def grown(checkout):
    """What was printed and measured when a second machine was added to a study, and its results."""
    checkout.write(ONE)
    checkout.snakemake()
    machine = {**K20, "scratch": str(checkout.folder / "local")}
    checkout.write({**ONE, "machines": {"default": {}, "k20": machine}})
    printed, measured = checkout.snakemake("all")
    return printed, measured, checkout.folder / "results/tiny"


def test_a_second_machine_is_measured_and_the_first_one_is_not_again(grown):
    printed, measured, _ = grown
    assert measured == {"first@k20/numpy", "first@k20/other"}
    assert f"machines: the runs of k20 {HERE}" in printed


def test_a_machine_with_a_folder_of_its_own_reads_a_copy_there(checkout, grown):
    *_, results = grown
    for folder, is_copied in {"first": False, "first@k20": True}.items():
        run = results / "runs" / folder / "numpy/cpu/float32/train-dataset/r1"
        record, job = (json.loads((run / name).read_text()) for name in ("run.json", "job.json"))
        assert Path(record["job"]["data"]).is_relative_to(checkout.folder / "results/data")
        assert Path(job["data"]).is_relative_to(checkout.folder / "local") == is_copied
        assert record["provenance"]["data_copy"] == (job["data"] if is_copied else None)


def test_tables_and_the_page_have_each_machine(grown):
    *_, results = grown
    summary = pd.read_csv(results / "tables/summary.csv")
    assert summary.groupby("machine_name")["status"].agg(list).to_dict() == {
        "default": ["ok", "ok"],
        "k20": ["ok", "ok"],
    }
    assert "machine name" in (results / "tables/summary.txt").read_text()
    pairs = pd.read_csv(results / "tables/pairs.csv")
    assert sorted(pairs["machine_name"]) == ["default", "k20"]
    assert "Other, k20" in (results / "figures/training_speed/training_speed.csv").read_text()
    assert "; k20: " in (results / "report.html").read_text()


@pytest.mark.usefixtures("grown")
def test_how_a_machine_is_found_measures_nothing_again(checkout):
    elsewhere = {"resources": {"slurm_partition": "gpu2"}, "timeout_seconds": 60}
    checkout.write({**ONE, "machines": {"default": {}, "k20": elsewhere}})
    assert checkout.snakemake()[1] == set()


@pytest.mark.usefixtures("grown")
def test_where_all_is_measured_nothing_is_reported_of_where(checkout):
    checkout.write({**ONE, "machines": {"default": {}, "k20": K20}})
    printed, measured = checkout.snakemake(MEASUREMENTS, "--forcerun", "measurements")
    assert measured == set()
    assert "Put the measurements of all runs together" in printed
    assert HERE not in printed


def test_a_target_measures_one_machine_alone(checkout):
    checkout.write({**ONE, "machines": {"one": {}, "two": {}}})
    printed, measured = checkout.snakemake("on_two")
    assert measured == {"first@two/numpy", "first@two/other"}
    assert HERE not in printed


def test_a_default_of_the_profile_that_one_machine_replaces_is_reported_in_one_line(checkout):
    checkout.write({**ONE, "machines": {"lab1": {}, "lab2": {"resources": {"host": "lab2"}}}})
    status, printed = checkout.call("all", "--dry-run", "--default-resources", "host=lab1")
    assert status == 1
    assert "trainmark: machines.lab1.resources: lacks host, which lab2 has; " in printed
    assert "Traceback" not in printed


def test_a_machine_without_the_gpus_that_it_is_asked_for_says_so(checkout):
    machines = {"three": {"devices": ["cpu"]}, "four": {"devices": ["cuda:16"]}}
    settings = {"frameworks": ["numpy"], "devices": ["cpu", "cuda:16"]}
    checkout.write({**ONE, **settings, "machines": machines})
    checkout.snakemake()
    path = "results/tiny/runs/first@four/numpy/cuda:16/float32/train-dataset/r1/run.json"
    record = json.loads((checkout.folder / path).read_text())
    assert record["status"] == "unavailable"
    assert record["reason"].startswith("cuda:16 asks for 16 GPUs")
