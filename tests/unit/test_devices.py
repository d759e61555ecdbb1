"""Names of devices: what each has, and which names there are."""

import pytest
from examples import LENET
from small_study import case, make

from trainmark.report.charts.grouped import colours
from trainmark.runs import resources
from trainmark.runs.job import complete
from trainmark.study.config.errors import StudyError
from worker import devices, job

THREADS = {"threads": 8, "timeout_seconds": 60}


@pytest.mark.parametrize(
    ("device", "kind", "nodes", "of_each"),
    [
        ("cpu", "cpu", 1, 1),
        ("cpu:2", "cpu", 1, 2),
        ("cuda:4", "cuda", 1, 4),
        ("cuda:2x4", "cuda", 2, 4),
        ("cpu:16x1", "cpu", 16, 1),
    ],
)
def test_a_device_has_a_kind_nodes_and_so_many_of_each(device, kind, nodes, of_each):
    assert devices.shape(device) == (kind, nodes, of_each)
    assert devices.parts(device) == (kind, nodes * of_each)


def test_batches_go_by_all_devices_threads_by_those_of_a_node():
    assert devices.batch_size(64, "cuda:2x4") == 8
    assert devices.threads(16, "cuda:2x4") == 4


@pytest.mark.parametrize("device", ["cpu:2x1", "cuda:2x4", "cuda:10x8", "cpu:2x2"])
def test_several_nodes_have_a_name(device):
    make(devices=[device], cases=case(batch_size=960))


@pytest.mark.parametrize(
    "device", ["cpu:2x0", "cuda:x2", "cuda:1x4", "cuda:2x", "cpu:0x1", "cuda:2x4x2", "gpu:2x4"]
)
def test_a_name_that_is_none_is_reported_in_one_line(device):
    with pytest.raises(StudyError) as error:
        make(devices=[device])
    (line,) = str(error.value).splitlines()
    assert device in line
    assert "cuda:<nodes>x<GPUs of each>" in line


def test_one_node_has_the_same_for_each_of_its_devices():
    several = job.of({**LENET, "device": "cuda:2x4", "batch_size": 64})
    one = several.on_one_node()
    assert (one.device, one.batch_size) == ("cuda:4", 32)
    assert one.device_batch_size == several.device_batch_size
    alone = job.of(LENET)
    assert alone.on_one_node() == alone


def test_nodes_that_are_processes_of_one_machine_share_its_threads():
    settings = {**LENET, "device": "cpu:2x1"}
    assert complete(settings, THREADS, {})["threads"] == 4
    assert complete(settings, {**THREADS, "nodes": ["lab2"]}, {})["threads"] == 8
    assert complete({**settings, "thread_count": 3}, THREADS, {})["threads"] == 3


def test_slurm_is_told_of_several_nodes_unless_the_study_names_them():
    assert resources.of_nodes("cuda:2x4", {}) == {"nodes": 2, "tasks": 2, "mpi": "srun"}
    assert resources.of_nodes("cuda:2x4", {"nodes": ["gpu02"]}) == {}
    assert resources.of_nodes("cuda:4", {}) == {}


def test_as_many_devices_on_more_nodes_have_a_colour_of_their_own():
    colour_of = colours(["cpu", "cuda:1", "cuda:8", "cuda:2x4"])
    assert len(set(colour_of.values())) == len(colour_of)
