"""What the tests of adapters share: their scripts run as the launcher runs them, data, references.

Whatever takes long is made once: data sets by format, references by network and shape, runs.
"""

import json
import re
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

import examples
import image_files
import numpy as np
import psutil
import pytest
from once import once
from waiting import PATIENCE_SECONDS

from trainmark.data.convert import convert
from trainmark.machine.gpu import for_device
from trainmark.runs import events
from trainmark.runs.launch import worker_environment
from trainmark.study import plugins

WORKER = plugins.SCRIPTS / "worker"
PROBE = Path(__file__).parent / "probe_adapter.py"
EPOCHS = Path(__file__).parent / "probe_epochs.py"
NETWORKS = Path(__file__).parent / "probe_networks.py"
UNSUPPORTED = re.compile(r'"kind": "unsupported", "message": "(.*?)"|events\.Unsupported: (.*)')


@pytest.fixture(scope="session")
def selected(request):
    """The values that a parameter has in the selected tests of a function, beside another one.

    So that a process makes what these tests need, and no more.
    """

    def values(function, name, **beside):
        calls = [item.callspec.params for item in request.session.items if is_of(item, function)]
        chosen = [call[name] for call in calls if beside.items() <= call.items()]
        return list(dict.fromkeys(chosen))

    def is_of(item, function):
        return getattr(item, "originalname", None) == function

    return values


@pytest.fixture(scope="session")
def host_environment():
    """The interpreter that runs the tests: it has all that the numpy adapter needs."""
    return Path(sys.executable), {}


@pytest.fixture(scope="session")
def run_script():
    """Start a worker's script as the launcher does; gives all that it printed.

    A framework that can't do on the device under test what it does on the processor is no failure.
    """

    def run(environment, script, content, folder, *arguments, status=0):
        python, variables = environment
        job = content if isinstance(content, dict) else content[0]
        device = job["device"]
        gpus = for_device(device) if device == examples.DEVICE else ()
        folder.mkdir(parents=True)
        (folder / "job.json").write_text(json.dumps(content))
        done = subprocess.run(
            [python, "-I", script, *arguments],
            cwd=folder,
            env=worker_environment(python, job["threads"], gpus, variables),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        refusal = UNSUPPORTED.search(done.stdout)
        if gpus and refusal and not status:
            pytest.skip(f"{device}: {refusal[1] or refusal[2]}")
        assert done.returncode == status, done.stdout[-3000:]
        return done.stdout

    return run


@pytest.fixture(scope="session")
def converted(tmp_path_factory):
    """A data set in an adapter's format."""

    @once
    def index(dataset, storage_format):
        source = tmp_path_factory.mktemp("data") / dataset / "source"
        folder = source.with_name(storage_format)
        if dataset in (image_files.UNTOUCHED, image_files.SHORT256):
            image_files.write(source)
        convert(dataset, source, storage_format, folder)
        return folder / "dataset.json"

    return lambda dataset, adapter: index(dataset, plugins.facts("framework", adapter)["FORMAT"])


@pytest.fixture(scope="session")
def reference(run_script, tmp_path_factory, host_environment):
    """The float64 reference of a job."""

    @once
    def path(job):
        folder = tmp_path_factory.mktemp("reference") / job["network"]
        script, arguments = WORKER / "proof" / "reference.py", ("job.json", "reference.npz")
        run_script(host_environment, script, job, folder, *arguments)
        return folder / "reference.npz"

    return path


@pytest.fixture(scope="session")
def run_folder(run_script, tmp_path_factory, converted, reference, framework_environment):
    """The folder of a run of an adapter, in its own environment or in another, and its events."""

    @once
    def ran(adapter, job, environment=None):
        adapter_job = {
            **examples.of_adapter(job, adapter),
            "data": str(converted(job["dataset"], adapter)),
            "reference": str(reference(job)),
        }
        folder = tmp_path_factory.mktemp("run") / adapter
        chosen = environment or framework_environment(adapter)
        output = run_script(chosen, WORKER / "run.py", adapter_job, folder, "job.json")
        return folder, events.scan(output)

    return ran


@pytest.fixture(scope="session")
def run_events(run_folder):
    """The events of a run of an adapter, without its folder."""
    return lambda *arguments: run_folder(*arguments)[1]


@pytest.fixture
def refused(run_script, framework_environment, tmp_path):
    """Why an adapter doesn't do a job, in its own environment or in another: one line."""

    def reason(adapter, job, environment=None):
        adapter_job, folder = examples.of_adapter(job, adapter), tmp_path / "refused"
        chosen = environment or framework_environment(adapter)
        output = run_script(chosen, WORKER / "run.py", adapter_job, folder, "job.json", status=3)
        error = events.last(events.parse(output), "error")
        assert error["kind"] == "unsupported"
        assert len(error["message"].splitlines()) == 1
        return error["message"]

    return reason


@pytest.fixture(scope="session")
def job_events(run_script, tmp_path_factory, reference, framework_environment):
    """The events of each of some jobs on random images, made in one process.

    The events are of runs, or of what another script makes of the jobs.
    """

    @once
    def of_jobs(adapter, jobs, script=NETWORKS):
        adapter_jobs = [
            {
                **examples.of_adapter(job, adapter),
                "reference": job["reference"] or str(reference(job)),
            }
            for job in jobs
        ]
        folder = tmp_path_factory.mktemp("networks") / adapter
        environment = framework_environment(adapter)
        printed = run_script(environment, script, adapter_jobs, folder, plugins.SCRIPTS, "job.json")
        log, rejected = events.scan(printed)
        assert rejected == 0
        events_of_jobs = by_job(log)
        assert len(events_of_jobs) == len(jobs), printed[-3000:]
        return events_of_jobs

    return of_jobs


def by_job(log):
    """The events of all jobs, job by job; each job begins with its environment."""
    starts = [n for n, event in enumerate(log) if event["event"] == "environment"]
    return [log[start:end] for start, end in pairwise([*starts, len(log)])]


@pytest.fixture(scope="session")
def probed(run_script, tmp_path_factory, converted, framework_environment):
    """What probe_adapter.py finds out, also of little networks by their names."""

    @once
    def arrays(adapter, job, little):
        data = str(converted(job["dataset"], adapter))
        probe_job = {**examples.of_adapter(job, adapter), "data": data}
        folder = tmp_path_factory.mktemp("probe") / adapter
        arguments = (plugins.SCRIPTS, "job.json", "probed.npz", *little)
        run_script(framework_environment(adapter), PROBE, probe_job, folder, *arguments)
        return np.load(folder / "probed.npz")

    return arrays


@pytest.fixture(scope="session")
def epochs(run_script, tmp_path_factory, converted, framework_environment):
    """What probe_epochs.py makes of each of some jobs, in one process, and its data set's index."""

    @once
    def of_jobs(adapter, jobs):
        data = [converted(job["dataset"], adapter) for job in jobs]
        adapter_jobs = [
            {**examples.of_adapter(job, adapter), "data": str(index)}
            for job, index in zip(jobs, data, strict=True)
        ]
        folder = tmp_path_factory.mktemp("epochs") / adapter
        arguments = (plugins.SCRIPTS, "job.json")
        run_script(framework_environment(adapter), EPOCHS, adapter_jobs, folder, *arguments)
        return [
            (np.load(folder / f"{number}.npz"), json.loads(index.read_text()))
            for number, index in enumerate(data)
        ]

    return of_jobs


@pytest.fixture
def endless_training(framework_environment, tmp_path):
    """Start a job of many steps; gives the process, once it trains, and the file of its output."""
    started = []

    def start(adapter, job):
        python, variables = framework_environment(adapter)
        (tmp_path / "job.json").write_text(json.dumps(examples.of_adapter(job, adapter)))
        output = tmp_path / "output"
        with output.open("wb") as stream:
            process = subprocess.Popen(
                [python, "-I", WORKER / "run.py", "job.json"],
                cwd=tmp_path,
                env=worker_environment(python, job["threads"], (), variables),
                stdout=stream,
                stderr=subprocess.STDOUT,
            )
        started.append(process)
        while events.last(events.scan(output.read_text()).events, "warmup") is None:
            assert process.poll() is None, output.read_text()
            time.sleep(0.1)
        return process, output

    yield start
    for process in started:
        process.kill()
        process.wait()


@pytest.fixture(scope="session")
def left_of():
    """Those of some processes that never end."""

    def left(processes):
        _, alive = psutil.wait_procs(processes, timeout=PATIENCE_SECONDS)
        return [each for each in alive if each.status() != psutil.STATUS_ZOMBIE]

    return left


@pytest.fixture(scope="session")
def in_browser(framework_environment):
    """Run a probe of pages in the environment that has a browser; gives the JSON that it prints."""

    def run(probe, *arguments):
        python, variables = framework_environment("onnxruntime_web")
        program = Path(python).parents[1] / "chromium" / "chromium"
        done = subprocess.run(
            [python, "-I", probe, plugins.SCRIPTS, program, *arguments],
            capture_output=True,
            text=True,
            check=False,
            env=variables,
            timeout=PATIENCE_SECONDS,
        )
        assert done.returncode == 0, done.stderr[-2000:]
        return json.loads(done.stdout.splitlines()[-1])

    return run
