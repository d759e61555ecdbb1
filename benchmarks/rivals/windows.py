"""Our adapter, which trains a window of steps for each line that it reads; prints its seconds.

usage: python windows.py SCRIPTS JOB.json, with a number of steps on each line of the input
"""

import sys
import time

sys.path.append(sys.argv[1])

from worker import run
from worker.input import fixed_batch
from worker.job import read
from worker.proof import start

job = read(sys.argv[2])
adapter = run.build(job, *start.of_job(job))
batch = adapter.batch(*fixed_batch.whole(job))
for line in sys.stdin:
    began = time.perf_counter()
    for _ in range(int(line)):
        adapter.train_step(batch)
    adapter.synchronise()
    print(f"seconds {time.perf_counter() - began}", flush=True)
