"""Runs on another machine by profiles/ssh; ssh is a stand-in that goes by another host name."""

import json
import os
import subprocess

import pytest
from small_checkout import CASE, MEASUREMENTS, TWICE

SSH = """\
#!/bin/sh
while [ "${1#-}" != "$1" ]; do [ "$1" = -o ] && shift; shift; done
exec unshare --map-root-user --uts sh -c 'hostname "$0"; exec $1' "$@"
"""
OPTIONS = ("--workflow-profile", "profiles/ssh", "--configfile", "study.yaml")


@pytest.fixture
def programs(tmp_path):
    """A folder with the stand-in."""
    ssh = tmp_path / "ssh"
    ssh.write_text(SSH)
    ssh.chmod(0o755)
    done = subprocess.run([ssh, "-tt", "other", "hostname"], capture_output=True, text=True)
    if done.stdout != "other\n":
        pytest.skip(f"needs namespaces of host names: {done.stderr.strip()}")
    return tmp_path


@pytest.fixture
def hosts(checkout, python, programs):
    """Measure a study; gives the hosts on which each of its machines was measured."""

    def hosts(study):
        checkout.write(study)
        done = subprocess.run(
            [python, "-m", "snakemake", *OPTIONS, "--", MEASUREMENTS],
            cwd=checkout.folder,
            env={**os.environ, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        by_machine = {}
        for path in (checkout.folder / "results/tiny/runs").rglob("run.json"):
            record = json.loads(path.read_text())
            assert record["status"] == "ok"
            host = record["provenance"]["host"]["hostname"]
            by_machine.setdefault(record["job"]["machine_name"], set()).add(host)
        return by_machine

    return hosts


def test_runs_are_measured_on_the_machine_that_the_profile_names(hosts):
    assert hosts({**TWICE, "cases": {"first": CASE}}) == {"default": {"lab1"}}


def test_each_machine_of_a_study_is_measured_on_its_host(hosts):
    machines = {name: {"resources": {"host": name}, "queued": 1} for name in ("lab2", "lab3")}
    study = {**TWICE, "repeats": 1, "cases": {"first": CASE}, "machines": machines}
    assert hosts(study) == {name: {name} for name in machines}
