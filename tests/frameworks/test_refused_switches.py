"""What a release, a device or XLA doesn't have ends a run in one line that names it."""

import json
import subprocess
from pathlib import Path

import examples
import pytest

from trainmark.runs import events
from trainmark.runs.launch import worker_environment
from trainmark.runs.outcome import Ending, outcome
from trainmark.study import plugins, stages

PROBE = Path(__file__).parent / "probe_release.py"
RUNNER = plugins.SCRIPTS / "worker" / "run.py"
PREDICTING = {**examples.LENET, "stage": "infer", **stages.NO_UPDATE}
SWITCH = "--xla_no_such_switch=true"


@pytest.mark.parametrize(
    ("adapter", "package", "release", "options", "reason"),
    [
        ("jax", "jax", "0.7.2", {"onednn": True}, "option onednn: JAX has it from 0.8 on"),
        (
            "pytorch",
            "torch",
            "2.0.1",
            {"compile": True},
            "option compile: PyTorch has all that it sets from 2.1 on",
        ),
        (
            "tensorflow",
            "tensorflow",
            "2.4.0",
            {"use_onednn": "on"},
            "option use_onednn: TensorFlow has it from 2.5 on",
        ),
        ("mxnet", "mxnet", "1.6.0", {"fuse": True}, "option fuse: MXNet has it from 1.7 on"),
    ],
)
def test_an_option_that_a_release_lacks_is_unsupported(
    run_script, framework_environment, tmp_path, adapter, package, release, options, reason
):
    job = {**examples.of_adapter({**PREDICTING, "options": options}, adapter), "device": "cpu"}
    arguments = (plugins.SCRIPTS, "job.json", package, release)
    environment = framework_environment(adapter)
    printed = run_script(environment, PROBE, job, tmp_path / "run", *arguments, status=3)
    error = events.last(events.parse(printed), "error")
    assert (error["kind"], error["message"]) == ("unsupported", reason)


@pytest.mark.parametrize(
    ("adapter", "options"),
    [
        ("jax", {"onednn": True}),
        ("pytorch", {"keep_memory": True}),
        ("tensorflow", {"use_onednn": "on"}),
    ],
)
def test_an_option_of_processors_is_unsupported_on_gpus(refused, adapter, options):
    job = {**examples.LENET, "device": "cuda:1", "options": options}
    assert refused(adapter, job) == f"option {next(iter(options))} is for processors"


def test_a_switch_that_xla_does_not_know_is_named_in_one_line(framework_environment, tmp_path):
    """Such as one among the variables of envs/jax.yaml, which each worker in it gets."""
    python, variables = framework_environment("jax")
    job = examples.of_adapter(examples.LENET, "jax")
    (tmp_path / "job.json").write_text(json.dumps(job))
    ended = subprocess.run(
        [python, "-I", RUNNER, "job.json"],
        cwd=tmp_path,
        env=worker_environment(python, job["threads"], (), {**variables, "XLA_FLAGS": SWITCH}),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    code, signal = max(0, ended.returncode), max(0, -ended.returncode)
    ending = Ending(code, signal, events.parse(ended.stdout), ended.stdout)
    status, reason = outcome(ending)
    assert status == "failed"
    assert SWITCH in reason
    assert len(reason.splitlines()) == 1
