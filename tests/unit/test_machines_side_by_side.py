"""Runs on several machines that a study names: tables, ratios, remarks."""

import pandas as pd
import pytest

from trainmark.analyse.along.scaling import speedups
from trainmark.analyse.compare import comparison
from trainmark.analyse.compare.configurations import configurations
from trainmark.analyse.compare.pairs import pairs
from trainmark.analyse.csv import measurements
from trainmark.report.figures import roofline
from trainmark.report.tables import iteration
from trainmark.report.words import cells
from trainmark.study import axes

NAMES = ("epyc", "k20")


@pytest.fixture
def two_machines(recorded):
    """The recorded study as if it had been measured on a second, faster machine as well."""
    faster = recorded.assign(machine_name="k20", machine="another CPU, 8 cores")
    faster.loc[faster["metric"] == "training_speed", "value"] *= 3
    slower = recorded.assign(machine_name="epyc")
    return pd.concat([slower, faster], ignore_index=True)


def test_frameworks_are_compared_with_each_other_on_the_same_machine(two_machines, recorded):
    compared = pairs(two_machines)
    assert compared.groupby("machine_name").size().to_dict() == dict.fromkeys(
        ("epyc", "k20"), len(pairs(recorded))
    )


def test_a_gpu_of_one_machine_is_no_speed_up_over_the_processor_of_another(two_machines):
    gpu = two_machines["machine_name"] == "k20"
    measured = two_machines.assign(device=two_machines["device"].mask(gpu, "cuda:1"))
    assert speedups(measured).empty
    assert not speedups(measured.assign(machine_name="k20")).empty


def test_the_machines_are_named_with_their_hardware(two_machines):
    hardware = two_machines["machine"].iloc[0]
    description = cells.machines(two_machines)
    assert description == f"epyc: {hardware}; k20: another CPU, 8 cores"


def remarks(table):
    summaries = configurations(table, "training_speed")
    lenet = summaries[summaries["case"] == "lenet-digits"]
    return lenet.set_index(["machine_name", "framework"])["remark"].dropna().to_dict()


def test_unlike_machines_of_different_names_have_no_remark(two_machines, recorded):
    assert len(remarks(two_machines)) == 2 * len(remarks(recorded))


def test_other_hardware_of_the_same_name_has_a_remark(two_machines):
    moved = two_machines.copy()
    is_moved = (moved["machine_name"] == "k20") & (moved["framework"] == "mxnet")
    moved.loc[is_moved, "machine"] = "a third CPU"
    doubt = "on other hardware than the first runs of k20, another CPU, 8 cores"
    assert remarks(moved)["k20", "mxnet"].endswith(doubt)
    assert {key for key, remark in remarks(moved).items() if doubt in remark} == {("k20", "mxnet")}


def test_a_study_that_names_no_machine_has_one_kind_of_hardware(recorded):
    first = recorded["machine"].iloc[0]
    last = recorded["framework"].unique()[-1]
    moved = recorded["machine"].mask(recorded["framework"] == last, "another PC")
    assert remarks(recorded.assign(machine=moved))["default", last].endswith(
        f"on other hardware than the first runs, {first}"
    )


def test_a_result_set_from_before_there_were_machines_is_of_the_default_one(recorded, tmp_path):
    path = tmp_path / "measurements.csv"
    recorded.drop(columns=["machine_name", "format"]).to_csv(path, index=False)
    before = measurements.upgraded(measurements.read(path), str(path))
    assert set(before["machine_name"]) == {"default"}
    assert {"new", "gone"}.isdisjoint(comparison.compare(recorded, before, {})["verdict"])


def test_a_run_from_before_there_were_machines_has_its_key(recorded_runs):
    job = dict(recorded_runs[0].job)
    key = axes.key(job)
    del job["machine_name"]
    assert axes.key(job) == key


@pytest.mark.parametrize("column", ["machine_name", "case", "framework", "study", "environment"])
def test_names_that_are_numbers_stay_text(recorded, tmp_path, column):
    path = tmp_path / "measurements.csv"
    recorded.assign(**{column: "1.10"}).to_csv(path, index=False)
    assert set(measurements.read(path)[column]) == {"1.10"}


def test_an_iteration_has_a_row_for_each_machine(sources):
    one = sources["measurements"]
    two = pd.concat([one.assign(machine_name=name) for name in NAMES], ignore_index=True)
    shown = iteration.show(iteration.make(two))
    assert shown["machine name"].value_counts().to_dict() == dict.fromkeys(
        NAMES, len(iteration.show(iteration.make(one)))
    )


def test_arithmetic_is_compared_with_the_best_of_the_same_machine(two_machines):
    assert set(roofline.data(two_machines)["panel"]) == {
        "epyc, cpu, float32",
        "k20, cpu, float32",
    }
