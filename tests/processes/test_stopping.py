"""A Snakemake that gets a signal when its jobs are done."""

import os
import signal
import subprocess
import sys

from trainmark.study import plugins

AFTER_ITS_JOBS = """
from trainmark.runs.stopping import end_jobs_on_signal
import signal
end_jobs_on_signal(None)
print("ready", flush=True)
signal.pause()
"""


def test_it_ends_in_one_line():
    environment = {**os.environ, "PYTHONPATH": str(plugins.SCRIPTS)}
    command = [sys.executable, "-c", AFTER_ITS_JOBS]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, env=environment, stdout=pipe, stderr=pipe, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGTERM)
        assert process.communicate() == ("", "trainmark: stopped\n")
    assert process.returncode == -signal.SIGINT
