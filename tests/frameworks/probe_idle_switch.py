"""Run a job whose adapter's switch to a narrow type does nothing: it computes in float32.

usage: python -I probe_idle_switch.py SCRIPTS JOB
"""

import sys

scripts, job_path = sys.argv[1:]
sys.path.append(scripts)
from worker import precisions, run  # noqa: E402

precisions.HALF = ()  # of which the adapters switch one on
run.main(job_path)
