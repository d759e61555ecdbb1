"""The tidy table of a recorded study, and what its configurations say."""

import jsonschema
import pytest
from referencing import Registry

from trainmark.analyse.compare.configurations import configurations
from trainmark.analyse.csv import losses as losses_csv
from trainmark.analyse.csv import steps as steps_csv
from trainmark.analyse.csv.measurements import COLUMNS, read, tabulate
from trainmark.analyse.run.hardware import hardware
from trainmark.analyse.run.recording import Run, read_run
from trainmark.analyse.run.rows import RUN
from trainmark.study import plugins
from trainmark.study.config import schemas


def test_one_row_per_run_and_metric(recorded, recorded_runs):
    assert len(recorded) == len(recorded_runs) * len(plugins.names("metric"))
    assert not recorded.duplicated([*RUN, "metric"]).any()


def test_every_row_conforms_to_the_schema(recorded):
    schema = schemas.load("measurement")
    assert tuple(schema["properties"]) == COLUMNS
    validator = jsonschema.Draft202012Validator(schema)
    for row in recorded.astype(object).where(recorded.notna(), None).to_dict("records"):
        validator.validate(row)


def test_the_recorded_runs_are_as_real_ones_are(recorded_runs):
    contents = {"job.schema.json": schemas.load("job")}
    registry = Registry().with_contents(contents.items())
    validator = jsonschema.Draft202012Validator(schemas.load("run"), registry=registry)
    for run in recorded_runs:
        validator.validate({**run.record, "job": run.job})


def test_the_measurements_are_in_the_order_of_the_runs(recorded_runs):
    for runs in (recorded_runs, recorded_runs[::-1]):
        of_runs = tabulate(runs)[["case", "framework", "repeat"]].drop_duplicates()
        assert of_runs.to_numpy().tolist() == [
            [run.job["case"], run.job["framework"], run.job["repeat"]] for run in runs
        ]


def test_a_case_carries_whose_default_it_is(recorded_runs, tmp_path):
    path = tmp_path / "measurements.csv"
    labels = {"lenet-digits": {"default_of": "caffe"}}
    runs = [read_run(run.folder, {}, labels.get(run.job["case"], {})) for run in recorded_runs]
    tabulate(runs).to_csv(path, index=False)
    adapters_of_case = read(path).groupby("case")["default_of"].unique()
    assert adapters_of_case["lenet-digits"].tolist() == ["caffe"]
    assert adapters_of_case["resnet50-cifar10"].isna().all()


def test_a_run_that_failed_has_no_value_and_says_why(recorded):
    failed = recorded[(recorded["case"] == "resnet50-cifar10") & (recorded["framework"] == "mxnet")]
    assert failed["value"].isna().all()
    assert set(failed["absent"]) == {"failed: parity: logits_after off by 3.1e-02"}


def test_a_run_without_step_times_has_a_row_that_says_why(recorded_runs):
    steps = steps_csv.tabulate(recorded_runs).set_index(["case", "framework"])
    assert set(steps.loc[("resnet50-cifar10", "mxnet"), "absent"]) == {
        "failed: parity: logits_after off by 3.1e-02"
    }
    assert steps["milliseconds"].isna().equals(steps["absent"].notna())


def test_losses_are_reported_by_steps_and_seconds_of_training(recorded_runs, recorded):
    losses = losses_csv.tabulate(recorded_runs).set_index(["case", "framework", "repeat"])
    run = losses.loc[("lenet-digits", "jax", 1)]
    assert run["steps"].tolist() == list(range(6, 26))  # behind 5 of warm-up
    assert run["loss"].iloc[0] == 2.3
    times = recorded[recorded["metric"] == "training_time"]
    times = times.set_index(["case", "framework", "repeat"])["value"]
    assert run["seconds"].iloc[-1] == pytest.approx(times["lenet-digits", "jax", 1])
    assert losses.loc[("resnet50-cifar10", "jax", 1), "absent"] == (
        "unavailable: no interpreter of Python 3.6 was found"
    )


def test_a_long_window_has_fifty_losses_each_the_mean_of_a_part(recorded_runs):
    run = next(run for run in recorded_runs if run.record["status"] == "ok")
    window = {**run.events["window_end"], "losses": [float(step % 4) for step in range(200)]}
    losses = losses_csv.tabulate(
        [Run(run.record, {**run.events, "window_end": window}, run.telemetry)]
    )
    assert losses["steps"].tolist() == list(range(9, 206, 4))
    assert set(losses["loss"]) == {1.5}


def test_a_violated_check_is_the_reason_of_an_ok_run(recorded_runs):
    sound = next(run for run in recorded_runs if run.record["status"] == "ok")
    unnamed = dict(sound.events["environment"], version="")
    broken = Run(sound.record, {**sound.events, "environment": unnamed}, sound.telemetry)
    assert set(tabulate([broken])["reason"]) == {"the framework's version is unknown"}


def test_a_configuration_is_the_mean_of_its_repeats(recorded):
    chosen = recorded[recorded["metric"] == "training_speed"]
    row = configurations(recorded, "training_speed").iloc[0]
    values = chosen[(chosen["case"] == row.case) & (chosen["framework"] == row.framework)]["value"]
    assert row["mean"] == values.mean()
    assert [row.run_1, row.run_2, row.run_3] == values.tolist()
    assert (row.n, row.repeats, row.status, row.disturbed) == (3, 3, "ok", 1)


def test_every_configuration_is_kept_with_its_remark(recorded):
    table = configurations(recorded, "training_speed").set_index(["case", "framework"])
    assert len(table) == 8
    lost = table.loc[("resnet50-cifar10", "jax")]
    assert (lost.status, lost.n) == ("unavailable", 0)
    assert lost.remark == "unavailable: no interpreter of Python 3.6 was found"


def test_a_repeat_that_failed_is_counted(recorded):
    chosen = (recorded["framework"] == "pytorch") & (recorded["repeat"] == 2)
    partly = recorded.copy()
    partly.loc[chosen, ["status", "value", "absent"]] = ["failed", None, "failed: killed"]
    row = configurations(partly, "training_speed").set_index("framework").loc["pytorch"].iloc[0]
    assert (row.n, row.repeats, row.status) == (2, 3, "ok")
    assert row.remark == "1 of 3 runs: failed: killed"


def test_several_nodes_are_named_once_for_each_kind():
    epyc = {"host": {"cpu": "EPYC", "cores": 64}, "gpus": [{"name": "V100"}] * 4}
    xeon = {"host": {"cpu": "Xeon", "cores": 1}, "gpus": []}
    assert hardware(epyc) == "EPYC, 64 cores, 4 x V100"
    assert hardware({**epyc, "nodes": [epyc]}) == "2 nodes of EPYC, 64 cores, 4 x V100"
    mixed = "2 nodes of EPYC, 64 cores, 4 x V100 + 1 node of Xeon, 1 core"
    assert hardware({**epyc, "nodes": [xeon, epyc]}) == mixed
