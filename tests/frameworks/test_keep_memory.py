"""The option keep_memory: steps find the memory of those before them."""

import subprocess

from trainmark.runs.launch import worker_environment
from trainmark.study import plugins

STEPS = """
import resource, sys
sys.path.append(sys.argv[1])
import torch
from worker.frameworks.pytorch import memory

memory.keep_freed()
for _ in range(40):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    torch.ones(2**24)  # 64 MiB, which are freed at once
    print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


def test_after_some_steps_no_new_pages_are_taken(framework_environment):
    python, variables = framework_environment("pytorch")
    command = [python, "-I", "-c", STEPS, plugins.SCRIPTS]
    environment = worker_environment(python, 1, (), variables)
    printed = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    first, *others = map(int, printed.stdout.split())
    assert sum(others[-10:]) < first / 10
