"""Several nodes train as several devices of one do: here as processes of one machine, over TCP."""

import adapters
import examples
import numpy as np
import psutil
import pytest

from trainmark.runs import events

THREADS = {"threads": 1}  # of each node: they share this machine's, as the host has them share
LENET = {**examples.LENET, **THREADS, "steps": 20, "learning_rate": 0.001}
RESNET20 = {**examples.small_images("resnet20"), **THREADS}
LONG = {**LENET, "device": "cpu:2x1", "input_mode": "synthetic", "steps": 1_000_000}

every_adapter = pytest.mark.parametrize("adapter", adapters.ON_SEVERAL_NODES)


@every_adapter
@pytest.mark.parametrize("device", ["cpu:2x1", "cpu:2x2"])
def test_each_device_does_the_reference_work_on_its_part(told, adapter, device):
    found, rejected = told(adapter, {**RESNET20, "device": device})
    assert events.last(found, "parity")["passed"]
    described = events.last(found, "environment")
    count = int(device[-1]) * 2
    assert len(described["devices"]) == count
    assert described["device_batch_size"] == RESNET20["batch_size"] / count
    assert rejected == 0


@every_adapter
def test_two_nodes_learn_what_one_node_learns(told, adapter):
    one, two = (told(adapter, {**LENET, "device": on}).events for on in ("cpu:2", "cpu:2x1"))
    losses = [events.last(found, "window_end")["losses"] for found in (one, two)]
    assert len(losses[1]) == LENET["steps"]
    np.testing.assert_allclose(losses[1], losses[0], rtol=1e-4)
    counts = [events.last(found, "evaluation")["count"] for found in (one, two)]
    assert counts[0] == counts[1]


@every_adapter
@pytest.mark.parametrize("input_mode", ["cached", "synthetic"])
def test_they_share_batches_of_every_input_mode(told, adapter, input_mode):
    job = {**LENET, "input_mode": input_mode, "steps": 2, "evaluate": False}
    one, two = (told(adapter, {**job, "device": on}).events for on in ("cpu:2", "cpu:2x1"))
    losses = [events.last(found, "window_end")["losses"] for found in (one, two)]
    np.testing.assert_allclose(losses[1], losses[0], rtol=1e-4)


@every_adapter
def test_a_last_batch_of_one_image_leaves_a_node_without_any(told, adapter):
    found = told(adapter, {**LENET, "device": "cpu:2x1", "batch_size": 74, "steps": 2}).events
    assert events.last(found, "evaluation")["count"] == 4 * 74 + 1


def of_other_node(processes):
    (found,) = [each for each in processes if "follow.py" in " ".join(each.cmdline())]
    return found


@every_adapter
def test_a_node_that_ends_is_told_in_one_line(endless_training, left_of, adapter):
    process, output = endless_training(adapter, LONG)
    others = psutil.Process(process.pid).children(recursive=True)
    of_other_node(others).kill()
    assert process.wait(timeout=60) == 1
    error = events.last(events.scan(output.read_text()).events, "error")
    assert error["kind"] == "failed"
    assert error["message"] == "RankFailed: rank 1 on node 2 (127.0.0.1) ended"
    assert left_of(others) == []


@every_adapter
def test_no_node_outlives_a_leader_that_is_killed(endless_training, left_of, adapter):
    process, _ = endless_training(adapter, LONG)
    others = psutil.Process(process.pid).children(recursive=True)
    process.kill()
    process.wait()
    assert left_of(others) == []
