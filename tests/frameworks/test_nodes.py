"""Several nodes train as several devices of one do: here as processes of one machine, over TCP."""

import adapters
import examples
import psutil
import pytest
from several_devices import check_losses, check_recognised
from waiting import PATIENCE_SECONDS

from trainmark.runs import events

LENET, CACHED = examples.SHARED, examples.SHARED_CACHED
RESNET20, CHAR_LSTM = map(examples.small_images, ("resnet20", "char_lstm"))
LONG = {**LENET, "device": "cpu:2x1", "input_mode": "synthetic", "steps": 1_000_000}

every_adapter = pytest.mark.parametrize("adapter", adapters.ON_SEVERAL_NODES)
ENDED = {"a node": 0, "the leader": 1}


def ending(name):
    """Each adapter; `make test` has half of them with the one end, and half with the other."""
    numbers = {adapter: number for number, adapter in enumerate(adapters.ON_SEVERAL_NODES)}
    chosen = adapters.params(
        [(adapter,) for adapter in numbers], lambda adapter: numbers[adapter] % 2 == ENDED[name]
    )
    return pytest.mark.parametrize("adapter", chosen)


LEARNING = {"stored": LENET, "cached": CACHED}
WORK = {
    "two nodes": (LENET, "cpu:2x1"),
    "two nodes of two devices": (RESNET20, "cpu:2x2"),
    "a language model on two nodes": (CHAR_LSTM, "cpu:2x1"),
}


def pairs(*others, everywhere=()):
    """Each adapter with each of some others; `make test` has a third, and these everywhere."""
    rows = adapters.ON_SEVERAL_NODES
    is_chosen = adapters.every(3, rows, others, everywhere)
    return adapters.params([(row, other) for row in rows for other in others], is_chosen)


@pytest.mark.parametrize(("adapter", "name"), pairs(*WORK, everywhere=("two nodes",)))
def test_each_device_does_the_reference_work_on_its_part(run_events, adapter, name):
    job, device = WORK[name]
    log, rejected = run_events(adapter, {**job, "device": device})
    assert events.last(log, "parity")["passed"]
    described = events.last(log, "environment")
    count = int(device[-1]) * 2
    assert len(described["devices"]) == count
    assert described["device_batch_size"] == job["batch_size"] / count
    assert rejected == 0


@pytest.mark.parametrize(("adapter", "name"), pairs(*LEARNING, everywhere=("stored",)))
def test_two_nodes_learn_what_the_reference_learns(run_events, host_environment, adapter, name):
    """From stored images and from cached ones; synthetic ones are those that parity has."""
    check_losses(run_events, host_environment, adapter, LEARNING[name], device="cpu:2x1")


@every_adapter
def test_two_nodes_recognise_what_the_reference_does(run_events, host_environment, adapter):
    check_recognised(run_events, host_environment, adapter, LENET, device="cpu:2x1")


def of_other_node(processes):
    (process,) = [each for each in processes if "follow.py" in " ".join(each.cmdline())]
    return process


@ending("a node")
def test_a_node_that_ends_is_reported_in_one_line(endless_training, left_of, adapter):
    process, output = endless_training(adapter, LONG)
    others = psutil.Process(process.pid).children(recursive=True)
    of_other_node(others).kill()
    assert process.wait(timeout=PATIENCE_SECONDS) == 1
    error = events.last(events.scan(output.read_text()).events, "error")
    assert error["kind"] == "failed"
    assert error["message"] == "RankFailed: rank 1 on node 2 (127.0.0.1) ended"
    assert left_of(others) == []


@ending("the leader")
def test_no_node_outlives_a_leader_that_is_killed(endless_training, left_of, adapter):
    process, _ = endless_training(adapter, LONG)
    others = psutil.Process(process.pid).children(recursive=True)
    assert of_other_node(others)
    process.kill()
    process.wait()
    assert left_of(others) == []
