"""Runs on another machine by profiles/ssh; ssh is a stand-in that goes by another host name."""

import json
import os
import subprocess

import pytest
from small_checkout import MEASUREMENTS, TWICE

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
    asked = subprocess.run([ssh, "-tt", "other", "hostname"], capture_output=True, text=True)
    if asked.stdout != "other\n":
        pytest.skip(f"needs namespaces of host names: {asked.stderr.strip()}")
    return tmp_path


def test_runs_are_measured_on_the_machine_that_the_profile_names(checkout, python, programs):
    checkout.write({**TWICE, "cases": {"first": TWICE["cases"]["first"]}})
    done = subprocess.run(
        [python, "-m", "snakemake", *OPTIONS, "--", MEASUREMENTS],
        cwd=checkout.folder,
        env={**os.environ, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    for path in (checkout.folder / "results/tiny/runs").rglob("run.json"):
        record = json.loads(path.read_text())
        assert record["status"] == "ok"
        assert record["provenance"]["host"]["hostname"] == "lab1"
