"""Run several jobs of one adapter in one process, so that its framework is imported only once.

usage: python -I probe_networks.py SCRIPTS JOBS

Prints the events of all jobs, one after the other, also where one fails.
"""

import json
import sys
from pathlib import Path

scripts, jobs_path = sys.argv[1:]
sys.path.append(scripts)
from worker import events, run  # noqa: E402
from worker.job import Job  # noqa: E402

for job in json.loads(Path(jobs_path).read_text(encoding="utf-8")):
    try:
        run.run(Job(**job))
    except (events.ParityFailed, events.Unsupported) as error:
        events.emit("error", kind=events.kind_of(error), message=str(error))
