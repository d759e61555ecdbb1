"""The headers of Theano's modules: g++ takes them as they were compiled."""

import subprocess

from trainmark.runs.launch import worker_environment
from trainmark.study import plugins

COMPILE = """
import logging, os, random, sys
sys.path.append(sys.argv[1])
from worker.frameworks.theano import adapter
import theano
from theano import tensor
log = logging.getLogger("theano.gof.cmodule")
log.setLevel(logging.DEBUG)
log.addHandler(logging.StreamHandler(sys.stdout))
x = tensor.matrix()
theano.function([x], tensor.exp(x * random.random()))
print("headers in", os.environ["CPATH"])
"""
"""A module that no earlier run has compiled, and the command that compiles it."""
RUNNING, FOLDER = "Running cmd: ", "headers in "


def test_a_module_begins_with_the_compiled_headers(framework_environment):
    python, variables = framework_environment("theano")
    environment = worker_environment(python, 1, (), variables)
    started = [python, "-I", "-c", COMPILE, plugins.SCRIPTS]
    printed = subprocess.run(started, env=environment, check=True, capture_output=True, text=True)
    lines = printed.stdout.splitlines()
    commands = [line.partition(RUNNING)[2].split() for line in lines if RUNNING in line]
    (environment["CPATH"],) = [line[len(FOLDER) :] for line in lines if line.startswith(FOLDER)]
    assert commands
    for command in commands:
        listing = [*command, "-H", "-fsyntax-only"]
        done = subprocess.run(listing, env=environment, check=False, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        headers = [line for line in done.stderr.splitlines() if line.startswith("! ")]
        assert ["theano_headers.h.gch" in line for line in headers] == [True]
