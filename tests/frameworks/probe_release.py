"""Run a job as in another release of its framework: of the version that its package then tells.

usage: python -I probe_release.py SCRIPTS JOB PACKAGE VERSION
"""

import importlib
import sys

scripts, job_path, package, version = sys.argv[1:]
importlib.import_module(package).__version__ = version  # before the adapter reads it
sys.path.append(scripts)
from worker import run  # noqa: E402

run.main(job_path)
