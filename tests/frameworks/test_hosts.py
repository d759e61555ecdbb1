"""Two hosts that reach each other by a network alone: the same training as on one.

They are namespaces of this machine, each with a host name, addresses and a lock of its own.
"""

import json
import os
import subprocess
import sys

import adapters
import examples
import numpy as np
import pytest
from little_worker import CODE, LOCK, validate

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
NAME=second unshare --net --uts --mount sh -ec '. ./alone.sh; echo $$ > other; exec sleep 300' &
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
LAUNCHER = """
import json, sys
from pathlib import Path
from trainmark.errors import one_line_errors
from trainmark.machine.disturbances import Limits
from trainmark.runs.guard import Guard
from trainmark.runs.job import Task
from trainmark.runs.measure import Patience, measure
from trainmark.runs.nodes.places import others
job, lock, code, folder, hosts = json.loads(sys.argv[1])
with one_line_errors(), Guard() as guard:
    limits, patience = Limits(1000, 1000, 10**9, 1), Patience(1, 0)
    task, places = Task(job, lock, code, Path(folder)), others(job["device"], {"nodes": hosts})
    measure(task, limits, patience, guard, print, places=places)
"""
LENET = {**examples.LENET, "steps": 20, "learning_rate": 0.001}


@pytest.fixture
def on_the_first(tmp_path):
    """Run a command on one of two hosts, where ssh leads to the other one; what it printed."""

    def run(*command):
        folder = tmp_path / command[0].replace("/", "")
        folder.mkdir()
        (folder / "network.sh").write_text(NETWORK)
        (folder / "alone.sh").write_text(ALONE)
        alone = ("unshare", "--map-root-user", "--net", "--uts", "--mount")
        return subprocess.run(
            [*alone, "sh", folder / "network.sh", folder, *command],
            env={**os.environ, "PYTHONPATH": str(plugins.SCRIPTS)},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=280,
        )

    asked = run("ssh", SECOND, "hostname")
    if asked.stdout != "second\n":
        pytest.skip(f"needs namespaces of networks: {asked.stdout.strip()}")
    return run


@pytest.mark.parametrize("adapter", adapters.ON_SEVERAL_NODES)
def test_two_hosts_learn_what_one_learns(
    on_the_first, told, adapter, converted, reference, framework_environment, tmp_path
):
    one = told(adapter, {**LENET, "device": "cpu:2"}).events
    python, variables = framework_environment(adapter)
    job = {
        **axes.UNSEEN,
        **examples.of_adapter(LENET, adapter),
        "device": "cpu:2x1",
        "data": str(converted(LENET["dataset"], adapter)),
        "reference": str(reference(LENET)),
    }
    lock = {**LOCK, "interpreter": str(python), "variables": variables}
    folder = tmp_path / "run"
    arguments = json.dumps([job, lock, CODE, str(folder), [SECOND]])
    done = on_the_first(sys.executable, "-c", LAUNCHER, arguments)
    assert done.returncode == 0, done.stdout
    record = json.loads((folder / "run.json").read_text())
    validate(record)
    assert (record["status"], record["reason"]) == ("ok", None)
    hosts = [record["provenance"], *record["provenance"]["nodes"]]
    assert [each["host"]["hostname"] for each in hosts] == ["first", "second"]
    two = events.scan((folder / "worker.log").read_text()).events
    losses = [events.last(found, "window_end")["losses"] for found in (one, two)]
    np.testing.assert_allclose(losses[1], losses[0], rtol=1e-4)
