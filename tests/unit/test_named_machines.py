"""Studies that name their machines: their runs, what these take, and the doubts about hardware."""

import json

import pytest
from small_study import case, make, params

from trainmark.errors import TrainmarkError
from trainmark.machine.shortcomings import shortcomings
from trainmark.runs.resources import check_defaults, of_run
from trainmark.study import machines

DEVICES = ["cpu", "cuda:1"]
EPYC = {"devices": ["cpu"], "resources": {"slurm_partition": "cpu"}}
K20 = {"devices": ["cuda:1"], "resources": {"slurm_partition": "gpu", "constraint": "k20"}}
BOTH = {"epyc": EPYC, "k20": K20}


def on(study, name):
    """The settings of one of a machine's runs."""
    runs = study.runs.values()
    return next(run.settings for run in runs if run.settings["machine_name"] == name)


def test_each_machine_has_its_runs_on_its_devices_in_folders_of_its_own():
    runs = make(devices=DEVICES, machines=BOTH, repeats=1).runs
    assert list(runs) == [
        f"lenet-digits@{path}/float32/train-dataset/r1"
        for path in ("epyc/numpy/cpu", "k20/numpy/cuda:1")
    ] + [
        f"lenet-digits@{path}/float32/train-dataset/r1"
        for path in ("epyc/numpy-again/cpu", "k20/numpy-again/cuda:1")
    ]


def test_a_name_ends_the_folder_behind_batch_and_threads():
    several = {**case()["lenet-digits"], "batch_sizes": [32, 64]}
    del several["batch_size"]
    runs = make(cases={"lenet": several}, threads=["all", 2], machines={"k20": {}}).runs
    assert {path.split("/")[0] for path in runs} == {
        "lenet-b32@k20",
        "lenet-b64@k20",
        "lenet-b32-t2@k20",
        "lenet-b64-t2@k20",
    }


def test_the_one_default_machine_is_no_part_of_a_run():
    assert not any("machine_name" in json.loads(text) for text in params(make()).values())


def test_a_second_machine_leaves_the_runs_of_the_first_one_as_they_are():
    before = params(make())
    after = params(make(machines={"default": {}, "k20": {}}))
    assert before.items() <= after.items()
    assert len(after) == 2 * len(before)


def test_how_a_machine_is_found_is_no_part_of_a_run_and_its_name_is():
    runs = params(make(machines={"k20": {}}))
    settings = {"timeout_seconds": 60, "queued": 1, "resources": K20["resources"]}
    assert params(make(machines={"k20": settings})) == runs
    (first, *_), (other, *_) = runs.values(), params(make(machines={"p100": {}})).values()
    assert json.loads(other) == {**json.loads(first), "machine_name": "p100"}


def test_a_machine_of_a_further_file_is_taken_back_by_null():
    assert params(make(machines={"k20": {}, "p100": None})) == params(make(machines={"k20": {}}))
    assert params(make(machines={"k20": None})) == params(make())


def test_overrides_name_machines_as_any_other_axis():
    slow = {"where": {"machine_name": "epyc"}, "set": {"steps": 3}}
    study = make(devices=DEVICES, machines=BOTH, overrides=[slow])
    assert [on(study, name)["steps"] for name in BOTH] == [3, 10]


def test_trained_weights_are_taken_from_the_same_machine():
    trained = case(trained_by="numpy", keep_weights=True)
    study = make(cases=trained, machines={"a": {}, "b": {}}, stages=["train", "infer"])
    assert study.trainers
    for path, trainer in study.trainers.items():
        assert path.split("/")[0] == trainer.split("/")[0]


def test_a_machine_that_is_left_out_needs_no_trainer():
    trained = case(trained_by="numpy", keep_weights=True)
    both = {"machines": {"a": {}, "b": {}}, "stages": ["train", "infer"]}
    left_out = [{"where": {"machine_name": "b"}, "reason": "broken"}]
    study = make(cases=trained, exclude=left_out, **both)
    assert {path.split("/")[0] for path in study.trainers} == {"lenet-digits@a"}


def test_the_machine_on_which_nobody_trains_is_named():
    trained = case(trained_by="numpy", keep_weights=True)
    both = {"machines": {"a": {}, "b": {}}, "stages": ["train", "infer"]}
    untrained = [{"where": {"machine_name": "b", "stage": "train"}, "reason": "too slow"}]
    with pytest.raises(TrainmarkError) as refusal:
        make(cases=trained, exclude=untrained, **both)
    wanted = (
        "cases.lenet-digits.trained_by: the study doesn't train it in numpy on b; it does in none"
    )
    assert str(refusal.value) == wanted


def test_a_run_takes_what_its_machine_says_and_else_what_is_said_of_all():
    patience = {"attempts": 1, "wait_seconds": 0}
    k20_settings = {"timeout_seconds": 540, "resources": {"slurm_partition": "gpu", "mem_mb": 0}}
    study = make(machines={"k20": k20_settings, "p100": {}}, machine={"patience": patience})
    resources = {name: of_run(on(study, name), study.config) for name in ("k20", "p100")}
    assert resources["k20"] == {
        "mem_mb": 0,
        "runtime": 10,
        "cpus_per_task": -1,
        "slurm_partition": "gpu",
        "on_k20": 1,
    }
    assert resources["p100"].keys() == {"mem_mb", "runtime", "cpus_per_task", "on_p100"}
    assert resources["p100"]["runtime"] == 61


def test_a_resource_with_a_default_is_named_for_all_machines_or_for_none():
    study = make(machines={"lab1": {}, "lab2": {"resources": {"host": "lab2", "mem_mb": 0}}})
    resources = {name: of_run(on(study, name), study.config) for name in ("lab1", "lab2")}
    check_defaults(resources, ["disk_mb", "mem_mb", "slurm_account"])
    with pytest.raises(TrainmarkError) as refusal:
        check_defaults(resources, ["disk_mb", "host"])
    assert str(refusal.value).startswith("machines.lab1.resources: lacks host, which lab2 has; ")


def test_a_run_of_the_default_machine_waits_in_the_queue_of_all():
    study = make()
    assert of_run(on(study, "default"), study.config)["runs"] == 1


def test_settings_of_one_machine_stand_in_place_of_those_of_all():
    k20_settings = {"patience": {"attempts": 1}, "threads": 4}
    config = make(machines={"k20": k20_settings, "p100": {}}, machine={"threads": 8}).config
    settings_of = {
        name: machines.settings(config, {"machine_name": name}) for name in ("k20", "p100")
    }
    assert settings_of["k20"]["patience"] == {"attempts": 1, "wait_seconds": 30}
    assert [settings["threads"] for settings in settings_of.values()] == [4, 8]
    assert settings_of["k20"]["limits"] == settings_of["p100"]["limits"]
    assert machines.settings(config, {}) == config["machine"]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"machines": {"k20": {"devices": ["cuda:2"]}}},
            "machines.k20.devices: cuda:2 is no device of the study; they are cpu",
        ),
        (
            {"devices": DEVICES, "machines": {"epyc": EPYC}},
            "devices: cuda:1 is on none of the study's machines",
        ),
        ({"machines": {"K20": {}}}, "machines: 'K20' is not a name of lower-case"),
        ({"machines": {"nan": {}}}, "machines: 'nan' is not a name of lower-case"),
        ({"machines": {"null": {}}}, "machines: 'null' is not a name of lower-case"),
        (
            {"machines": {"k20": {"partition": "gpu"}}},
            "machines.k20: unknown key 'partition'; known: browser, devices, limits",
        ),
        (
            {"machines": {"k20": {"resources": {"gpus per node": 1}}}},
            "machines.k20.resources: 'gpus per node' is not the name of a resource",
        ),
        (
            {"machines": {"k20": {"resources": {"mem": "64GB"}}}},
            "machines.k20.resources: 'mem' is not the name of a resource; those of memory and disk "
            "are mem_mb and disk_mb",
        ),
        (
            {"machines": {"k20": {"resources": {"disk_mib": 1000}}}},
            "machines.k20.resources: 'disk_mib' is not the name of a resource; those of memory",
        ),
        ({"machines": {"k20": {"queued": 0}}}, "machines.k20.queued: 0 is less than the minimum"),
        ({"machines": ["k20"]}, "machines: ['k20'] is not of type 'object'"),
        (
            {"machines": {"k20": {}}, "exclude": [{"where": {"machine_name": "p"}, "reason": "r"}]},
            'exclude.0.where: {"machine_name": "p"} matches no configuration',
        ),
    ],
)
def test_machines_that_cannot_be_measured_are_refused_in_one_line(changes, message):
    with pytest.raises(TrainmarkError) as refusal:
        make(**changes)
    assert message in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_that_several_machines_are_measured_on_one_is_reported(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    study = make(machines={"one": {}, "two": {"threads": 5000}})
    runs = list(study.runs.values())
    first, second = shortcomings(runs, runs, study.config)
    assert first.startswith("machines: the runs of one and two are measured on this one; name an ")
    assert second.startswith("machines.two.threads: 5000 threads for the ")
    assert not list(shortcomings(runs, [], study.config))


def test_of_machines_that_were_measured_before_nothing_is_reported(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    study = make(machines={"one": {}, "two": {"threads": 5000}})
    runs = list(study.runs.values())
    of_one = [run for run in runs if run.settings["machine_name"] == "one"]
    (line,) = shortcomings(runs, of_one, study.config)
    assert line.startswith("machines: the runs of one are measured on this one; ")


def test_threads_are_reported_of_the_machines_that_are_measured_alone(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    study = make(machines={"one": {}, "two": {"threads": 5000}})
    of_one = [run for run in study.runs.values() if run.settings["machine_name"] == "one"]
    assert not list(shortcomings(of_one, of_one, study.config))
