"""Several processes led by one: their calls, the results they hold and drop, and their failures."""

import gc
import os
import socket
import subprocess
import sys
import threading
from multiprocessing import AuthenticationError, connection
from pathlib import Path

import psutil
import pytest
from little_adapter import LittleAdapter
from waiting import PATIENCE_SECONDS

import worker
from worker.ranks import network, nodes
from worker.ranks.leader import Leader
from worker.ranks.rank import RankFailed


@pytest.fixture(autouse=True)
def own_environment(monkeypatch):
    """The leader of nodes tells them by its environment where it is."""
    for name in (nodes.LEADER, nodes.KEY, nodes.SOCKET):
        monkeypatch.setenv(name, "")
        monkeypatch.delenv(name)


@pytest.fixture
def woken():
    return threading.Event()


@pytest.fixture
def leader(woken):
    return Leader(3, LittleAdapter, (10,), woken.set)


def test_all_do_what_the_leader_runs(leader):
    batch = leader.hold("batch", 5)
    assert leader.result_of(batch) == [0, 5]
    assert leader.run("add", batch) == 10 + 0 + 5
    assert leader.gather("add", batch) == [20, 22, 24]
    assert len({os.getpid(), *leader.gather("pid")}) == 3


def test_each_can_keep_its_own_part(leader):
    batch = leader.hold_each("batch", [(1,), (20,), (300,)])
    assert leader.gather("add", batch) == [11, 31, 312]


def test_what_the_leader_drops_is_held_nowhere(leader):
    first = leader.hold("batch", 5)
    second = leader.hold("batch", 6)
    del first
    gc.collect()
    leader.gather("pid")
    assert list(leader.results) == [second.number]


def test_a_failure_is_raised_in_one_line_and_again(leader):
    leader.run("fail", 2)
    for _ in range(2):
        with pytest.raises(RankFailed, match=r"^rank 2: ValueError: no luck$"):
            leader.gather("pid")


def test_a_process_that_dies_is_named_and_wakes_what_waits_for_it(leader, woken):
    leader.run("die", 1)
    with pytest.raises(RankFailed, match=r"^rank 1 ended with exit code -9$"):
        leader.gather("pid")
    assert woken.wait(PATIENCE_SECONDS)


def test_the_leaders_own_failure_stays_its_own(leader):
    with pytest.raises(ValueError, match="no luck"):
        leader.run("fail", 0)


def test_a_rank_that_never_comes_up_is_a_failure(woken):
    with pytest.raises(RankFailed, match="rank 1: TypeError"):
        Leader(2, LittleAdapter, (), woken.set)


def test_no_rank_outlives_a_leader_that_is_killed():
    program = "\n".join(
        [
            "import sys, time; sys.path[:0] = sys.argv[1:]",
            "from little_adapter import LittleAdapter",
            "from worker.ranks.leader import Leader",
            "leader = Leader(3, LittleAdapter, (1,), print)",
            "print(*leader.gather('pid'), flush=True)",
            "time.sleep(60)",
        ]
    )
    folders = [Path(worker.__file__).parents[1], Path(__file__).parents[1]]
    command = [sys.executable, "-c", program, *folders]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        _, *others = [psutil.Process(int(pid)) for pid in process.stdout.readline().split()]
        process.kill()
    gone, alive = psutil.wait_procs(others, timeout=PATIENCE_SECONDS)
    assert len(gone) == 2
    assert not alive


@pytest.fixture
def leader_of_nodes(woken):
    """Two nodes of two ranks each, on this machine."""
    return Leader(4, LittleAdapter, (10,), woken.set, nodes=2)


def test_ranks_of_other_nodes_are_led_alike(leader_of_nodes):
    batch = leader_of_nodes.hold_each("batch", [(1,), (20,), (300,), (4000,)])
    assert leader_of_nodes.gather("add", batch) == [11, 31, 312, 4013]
    assert len({os.getpid(), *leader_of_nodes.gather("pid")}) == 4


def test_a_process_of_another_node_that_dies_is_named(leader_of_nodes, woken):
    leader_of_nodes.run("die", 3)
    with pytest.raises(RankFailed, match=r"^rank 3 on node 2 \(127.0.0.1\) ended$"):
        leader_of_nodes.gather("pid")
    assert woken.wait(PATIENCE_SECONDS)


def test_a_failure_on_another_node_is_raised_in_one_line(leader_of_nodes):
    leader_of_nodes.run("fail", 2)
    with pytest.raises(RankFailed, match=r"^rank 2: ValueError: no luck$"):
        leader_of_nodes.gather("pid")


def test_a_node_that_does_not_connect_is_named(woken, monkeypatch):
    monkeypatch.setattr(nodes, "CONNECT_SECONDS", 0.3)
    monkeypatch.setattr(nodes, "FOLLOW", os.devnull)
    with pytest.raises(RankFailed, match=r"^processes of node 2, 3 haven't reached 127.0.0.1:"):
        Leader(3, LittleAdapter, (1,), woken.set, nodes=3)


def test_who_lacks_the_key_is_not_let_in(monkeypatch):
    with socket.socket() as listener:
        listener.bind((network.LOOPBACK, 0))
        listener.listen()
        monkeypatch.setenv(nodes.SOCKET, str(os.dup(listener.fileno())))
        monkeypatch.setenv(nodes.KEY, "00" * 32)
        address = listener.getsockname()
        refused = []
        stranger = threading.Thread(target=without_key, args=(address, refused))
        stranger.start()
        monkeypatch.setattr(nodes, "CONNECT_SECONDS", 1.0)
        with pytest.raises(nodes.NotJoined):
            nodes.join(2, 1)
        stranger.join()
    assert [type(error) for error in refused] == [AuthenticationError]


def without_key(address, refused):
    try:
        connection.Client(address, authkey=b"another")
    except Exception as error:
        refused.append(error)


def test_the_interface_that_leads_to_the_leader_is_known():
    assert network.leader_address() == network.LOOPBACK
    assert network.own_interface() == "lo"
