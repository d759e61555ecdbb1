"""Where the other nodes of a run are: named by the study, in a job of Slurm, or on this machine."""

import pytest

from trainmark.runs.nodes.hosts import NoNodes, nodes_here, other_hosts

SCONTROL = """\
#!/bin/sh
case "$2" in
job) printf '   NodeList=gpu[01-03]\\n   BatchHost=gpu01\\n' ;;
node) echo "   NodeAddr=$3.cluster NodeHostName=$3" ;;
hostnames) printf 'gpu01\\ngpu02\\ngpu03\\n' ;;
esac
"""


@pytest.fixture(autouse=True)
def outside_of_slurm(monkeypatch):
    for name in ("SLURM_JOB_ID", "SLURMD_NODENAME"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def in_slurm(monkeypatch, tmp_path):
    """A job of three nodes, of which this is the first."""
    program = tmp_path / "scontrol"
    program.write_text(SCONTROL)
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    monkeypatch.setenv("SLURM_JOB_ID", "7")


def test_one_node_has_no_others():
    assert other_hosts("cuda:4", {"nodes": ["gpu02"]}) == []


def test_processors_without_any_named_are_all_here():
    assert other_hosts("cpu:3x1", {}) == []
    assert nodes_here("cpu:3x1", {}) == 3


def test_named_ones_are_reached_by_ssh():
    (host,) = other_hosts("cpu:2x1", {"nodes": ["me@gpu02", "gpu03"]})
    assert (host.name, host.address) == ("me@gpu02", "gpu02")
    assert host.start[0] == "ssh"
    *_, destination, words = host.command(["python", "-c", "two words"])
    assert (destination, words) == ("me@gpu02", "python -c 'two words'")
    assert nodes_here("cpu:2x1", {"nodes": ["me@gpu02"]}) == 1


def test_too_few_are_reported():
    with pytest.raises(NoNodes, match=r"asks for 3 nodes; `nodes` names 1 beside"):
        other_hosts("cuda:3x1", {"nodes": ["gpu02"]})


def test_gpus_are_not_shared_by_nodes_of_one_machine():
    with pytest.raises(NoNodes, match=r"^cuda:2x1 asks for 2 nodes: name the others"):
        other_hosts("cuda:2x1", {})


@pytest.mark.usefixtures("in_slurm")
def test_those_of_slurms_job_are_all_but_the_first():
    hosts = other_hosts("cpu:3x1", {})
    assert [host.name for host in hosts] == ["gpu02", "gpu03"]
    assert hosts[0].address == "gpu02.cluster"
    assert "--jobid=7" in hosts[0].start
    assert hosts[1].command(["python", "-c", "two words"])[-2:] == ["-c", "two words"]
    with pytest.raises(NoNodes, match="asks for 4 nodes; Slurm's job has 2 beside"):
        other_hosts("cuda:4x2", {})


def test_slurm_that_cannot_tell_is_told(monkeypatch, tmp_path):
    monkeypatch.setenv("SLURM_JOB_ID", "7")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NoNodes, match=r"^scontrol show job 7: .*No such file"):
        other_hosts("cpu:2x1", {})
