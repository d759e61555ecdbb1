"""Workers of a few lines of source code, which the launcher takes for the real one."""

import sys
from collections.abc import Callable
from typing import Any

from examples import LENET_RUN
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from trainmark.machine.processes import read
from trainmark.study.config import schemas

Record = dict[str, Any]
Run = Callable[..., Record]

LOCK = {
    "environment": "fake",
    "status": "available",
    "reason": None,
    "interpreter": sys.executable,
    "python": "3.11.7",
    "packages": {},
    "variables": {"FROM_THE_LOCK": "yes"},
}
CODE = "digest"
JOB = {
    **LENET_RUN,
    "steps": 10,
    "evaluate": False,
    "threads": 1,
    "timeout_seconds": 20,
    "data": "/data/dataset.json",
}
PRELUDE = """
import json, os, resource, signal, subprocess, sys, time
def emit(event, **fields):
    fields.setdefault("time_seconds", time.monotonic())
    print("@trainmark " + json.dumps(dict(event=event, **fields)), flush=True)
emit("start", python="3", pid=os.getpid())
"""


def alive(pid: int) -> bool:
    process = read(pid)
    return process is not None and process.state not in "ZX"


def validate(record: Record) -> None:
    job = Resource.from_contents(schemas.load("job"))
    registry = Registry().with_resource("job.schema.json", job)
    Draft202012Validator(schemas.load("run"), registry=registry).validate(record)
