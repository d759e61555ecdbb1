"""What trainmark relies on in Snakemake though its documentation doesn't promise it."""

import ast
import errno
import inspect
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import snakemake.api
import snakemake.workflow
import yaml
from snakemake.scheduling import job_scheduler
from snakemake.scheduling.job_scheduler import JobScheduler
from snakemake_interface_executor_plugins.executors import remote

from trainmark.watch import handler

ROOT = Path(__file__).parents[2]
SNAKEFILE = f"""
import json
from pathlib import Path
include: "{ROOT}/workflow/rules/internals.smk"

configfile: "of_the_workflow.yaml"

limit_resource("runs", 1)

rule both:
    default_target: True
    input: "one.txt", "two.txt"

rule one:
    output: "{{name}}.txt"
    message: "Make {{wildcards.name}}"
    resources: mem_mb=7, runs=1
    run:
        with open("times.txt", "a") as file:
            file.write("begin\\n")
        shell("sleep 0.2; touch {{output}}")
        with open("times.txt", "a") as file:
            file.write("end\\n")

def facts():
    jobs = [job for job in jobs_to_do() if job.output]
    return {{
        "jobs": sorted([str(job.output[0]), job.resources.get("mem_mb")] for job in jobs),
        "targets": sorted(requested_targets()),
        "is_forced": is_forced(),
        "is_dry_run": is_dry_run(),
        "quiet": sorted(quiet_kinds()),
        "study_files": [file.name for file in study_files()],
        "config_arguments": config_arguments(),
        "default_resources": sorted(default_resources()),
        "conda": makes_conda_environments(),
        "is_single_job": is_single_job(),
        "runs_locally": runs_locally(),
    }}

if not is_single_job():
    import logging
    replace_job_lines(logging.NullHandler())

onstart:
    stop_timer()
    mark_incomplete(["later.txt"])
    Path("facts.json").write_text(json.dumps(facts()))
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "Snakefile").write_text(SNAKEFILE)
    for name in ("of_the_workflow.yaml", "study.yaml"):
        (tmp_path / name).write_text("key: value\n")
    return tmp_path


def call(folder, *options):
    """Call Snakemake; gives what it printed, and what the module said of the call."""
    command = [sys.executable, "-m", "snakemake", "--cores", "2", "--quiet", "host", "reason"]
    done = subprocess.run([*command, *options], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stderr, json.loads((folder / "facts.json").read_text())


def test_a_call_without_options(folder):
    _, facts = call(folder)
    assert facts == {
        "jobs": [["one.txt", 7], ["two.txt", 7]],
        "targets": [],
        "is_forced": False,
        "is_dry_run": False,
        "quiet": ["host", "reason"],
        "study_files": ["of_the_workflow.yaml"],
        "config_arguments": [],
        "default_resources": facts["default_resources"],
        "conda": False,
        "is_single_job": False,
        "runs_locally": True,
    }


def test_a_call_with_options(folder):
    options = ("--configfile", "study.yaml", "--config", "answer=42", "--force")
    options += ("--default-resources", "host=lab1")
    _, facts = call(folder, *options, "--", "one.txt")
    assert facts["jobs"] == [["one.txt", 7]]
    assert facts["targets"] == ["one.txt"]
    assert facts["is_forced"]
    assert facts["study_files"] == ["of_the_workflow.yaml", "study.yaml"]
    assert facts["config_arguments"] == ["answer=42"]
    assert "host" in facts["default_resources"]


def test_a_file_can_be_marked_as_incomplete_before_its_job(folder):
    call(folder)
    (folder / "later.txt").touch()
    with pytest.raises(AssertionError, match=r"later\.txt"):
        call(folder, "later.txt")


def test_a_limited_resource_keeps_jobs_apart(folder):
    call(folder)
    assert (folder / "times.txt").read_text().split() == ["begin", "end"] * 2


def test_lines_of_jobs_are_replaced(folder):
    printed, _ = call(folder)
    assert "Make one" not in printed
    assert "Provided cores" not in printed
    assert "Complete log" in printed


def test_lines_without_an_event_that_are_left_out_are_still_worded_so():
    rules = (ROOT / "workflow/rules/internals.smk").read_text(encoding="utf-8")
    routine, failure = (
        ast.literal_eval(rules.partition(f"{name} = ")[2].partition('\n"""')[0])
        for name in ("ROUTINE_LINES", "FAILURE_LINES")
    )
    sources = [snakemake.workflow, snakemake.api, snakemake.dag, job_scheduler]
    text = "".join(map(inspect.getsource, sources))
    composed = ["CalledProcessError in file", os.strerror(errno.ENOSPC)]
    assert [line for line in (*routine, *failure) if line not in text] == composed


def test_the_end_of_a_batch_systems_reason_is_still_worded_so():
    assert handler.NO_REASON in inspect.getsource(remote)


def test_without_a_rate_limiter_the_scheduler_wakes_only_for_jobs():
    """So that nothing but the run works while one is measured (internals.smk, stop_timer)."""
    waking = inspect.getsource(JobScheduler.schedule)
    assert "if self.job_rate_limiter is not None:" in waking
    assert waking.count("_schedule_reevalutation") == 2  # that one, and for input from a queue


def test_without_the_users_force_only_what_is_marked_as_incomplete_is_forced():
    """By that common.smk finds the runs whose end Snakemake took no note of."""
    checking = inspect.getsource(snakemake.dag.DAG.check_incomplete)
    assert "self.forcefiles.update(incomplete_files)" in checking


def test_on_a_keyboard_interrupt_the_scheduler_starts_nothing_more():
    """That is the way on which SIGINT and SIGTERM end a study (`stopping`)."""
    scheduling = inspect.getsource(JobScheduler.schedule)
    assert "except (KeyboardInterrupt, SystemExit):" in scheduling


def test_the_oldest_and_the_newest_snakemake_are_tried_by_continuous_integration():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (bounds,) = [each for each in project["dependencies"] if each.startswith("snakemake")]
    oldest, newest = re.fullmatch(r"snakemake>=([\d.]+),(<\d+)", bounds).groups()
    tests = yaml.safe_load((ROOT / ".github/workflows/tests.yml").read_text(encoding="utf-8"))
    tried = tests["jobs"]["snakemake"]["strategy"]["matrix"]["snakemake"]
    assert tried == [f"snakemake=={oldest}.0", f"snakemake{newest}"]
    assert f'min_version("{oldest}")' in (ROOT / "Snakefile").read_text(encoding="utf-8")
