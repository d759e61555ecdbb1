"""Two hosts that reach each other by a network alone, and train as the reference does.

They are namespaces of this machine, each with a host name, addresses and a lock of its own.
"""

import json
import os
import signal
import subprocess
from contextlib import suppress

import adapters
import examples
import little_launcher
import numpy as np
import psutil
import pytest
from little_worker import CODE, LOCK, validate
from waiting import LONG_SECONDS, PATIENCE_SECONDS, wait_for

from trainmark.runs import events
from trainmark.study import axes, plugins

FIRST, SECOND = "10.77.0.1", "10.77.0.2"
ALONE = """\
hostname "$NAME"
ip link set lo up
mount --bind hosts /etc/hosts
touch "lock-$NAME" /tmp/trainmark.lock
mount --bind "lock-$NAME" /tmp/trainmark.lock
"""
NETWORK = f"""\
set -e
cd "$1"
shift
printf '127.0.0.1 localhost\\n{FIRST} first\\n{SECOND} second\\n' > hosts
NAME=second unshare --net --uts --mount sh -ec '. ./alone.sh; echo $$ > other
exec sleep {LONG_SECONDS}' &
NAME=first
. ./alone.sh
until [ -s other ]; do kill -0 $!; sleep 0.1; done
other=$(cat other)
there="nsenter --target $other --net --uts --mount"
ip link add eth0 type veth peer name eth0 netns "$other"
ip address add {FIRST}/24 dev eth0
$there ip address add {SECOND}/24 dev eth0
ip link set eth0 up
$there ip link set eth0 up
mkdir programs
printf '#!/bin/sh\\nfor word; do :; done\\nexec %s sh -c "$word"\\n' "$there" > programs/ssh
chmod +x programs/ssh
set +e
PATH="$PWD/programs:$PATH" "$@"
status=$?
kill "$other"
exit $status
"""
LENET = {**examples.LENET, "steps": 20, "learning_rate": 0.001}
LONG = {**LENET, "input_mode": "synthetic", "steps": 1_000_000}
WITH_OTHER_PROGRAMS = ("cntk", "mxnet")  # beside the processes that train
REASONS = {  # by the program that is killed, of the second host and of the first one
    "follow.py": f"RankFailed: rank 1 on node 2 ({SECOND}) ended",
    "worker/run.py": "SIGKILL",
}


@pytest.fixture
def on_the_first(tmp_path):
    """Start a command on one of two hosts, where ssh leads to the other one."""
    started = []

    def start(*command):
        folder = tmp_path / command[0].replace("/", "")
        folder.mkdir()
        (folder / "network.sh").write_text(NETWORK)
        (folder / "alone.sh").write_text(ALONE)
        alone = ("unshare", "--map-root-user", "--net", "--uts", "--mount")
        process = subprocess.Popen(
            [*alone, "sh", folder / "network.sh", folder, *command],
            env={**os.environ, "PYTHONPATH": str(plugins.SCRIPTS)},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        started.append(process)
        return process

    output, _ = start("ssh", SECOND, "hostname").communicate(timeout=PATIENCE_SECONDS)
    if output != "second\n":
        pytest.skip(f"needs namespaces of networks: {output.strip()}")
    yield start
    for process in started:
        if process.returncode is None:  # else its number may be another group's
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()


@pytest.fixture
def measuring(on_the_first, framework_environment, tmp_path):
    """Start a run on both hosts; gives the process and the run's folder."""

    def start(adapter, job, **paths):
        python, variables = framework_environment(adapter)
        settings = {
            **axes.HOST_DEFAULTS,
            **examples.of_adapter(job, adapter),
            "device": "cpu:2x1",
            **paths,
        }
        lock = {**LOCK, "interpreter": str(python), "variables": variables}
        folder = tmp_path / "run"
        command = little_launcher.command(
            job=settings, lock=lock, code=CODE, folder=folder, nodes=[SECOND]
        )
        return on_the_first(*command), folder

    return start


def record_of(folder):
    record = json.loads((folder / "run.json").read_text())
    validate(record)
    return record


def events_of(folder):
    log = folder / "worker.log"
    return events.scan(log.read_text()).events if log.exists() else []


def working_in(folder):
    """The processes there: of both hosts, which see the same ones."""
    processes = []
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            if process.cwd() == str(folder):
                processes.append(process)
    return processes


@pytest.mark.parametrize("adapter", adapters.ON_SEVERAL_NODES)
def test_two_hosts_learn_what_the_reference_learns(
    measuring, run_events, host_environment, adapter, converted, reference
):
    expected = run_events("numpy", LENET, host_environment).events
    paths = {
        "data": str(converted(LENET["dataset"], adapter)),
        "reference": str(reference(LENET)),
    }
    process, folder = measuring(adapter, LENET, **paths)
    output, _ = process.communicate(timeout=PATIENCE_SECONDS)
    assert process.returncode == 0, output
    record = record_of(folder)
    assert (record["status"], record["reason"]) == ("ok", None)
    hosts = [record["provenance"], *record["provenance"]["nodes"]]
    assert [each["host"]["hostname"] for each in hosts] == ["first", "second"]
    losses = [events.last(log, "window_end")["losses"] for log in (expected, events_of(folder))]
    np.testing.assert_allclose(losses[1], losses[0], rtol=1e-3)
    assert working_in(folder) == []


FAILURES = [(adapter, program) for adapter in WITH_OTHER_PROGRAMS for program in REASONS]
CHOSEN = [*zip(WITH_OTHER_PROGRAMS, REASONS, strict=True)]
"""Each adapter and each host once in `make test`."""


@pytest.mark.parametrize(
    ("adapter", "program"), adapters.params(FAILURES, lambda *pair: pair in CHOSEN)
)
def test_where_a_host_fails_nothing_is_left_on_either(measuring, adapter, program):
    process, folder = measuring(adapter, LONG)
    wait_for(lambda: events.last(events_of(folder), "warmup"))
    processes = working_in(folder)
    (failing,) = [each for each in processes if program in " ".join(each.cmdline())]
    assert len(processes) > 2
    failing.kill()
    output, _ = process.communicate(timeout=PATIENCE_SECONDS)
    assert process.returncode == 0, output
    record = record_of(folder)
    assert record["status"] == "failed"
    assert REASONS[program] in record["reason"]
    assert working_in(folder) == []
