"""The machine's settings as a study that gives none has them, and others, for tests of runs."""

from trainmark.machine.disturbances import Limits
from trainmark.runs.measure import Patience
from trainmark.study.config import schemas

MACHINE = schemas.complete({})["machine"]
LIMITS = Limits(**MACHINE["limits"])
PATIENCE = Patience(**MACHINE["patience"])
UNLIMITED = Limits(other_cpu=1000, steal=1000, swapped_mebibytes=10**9, clock_change=1)
"""What others do is no disturbance."""
ONCE = Patience(attempts=1, wait_seconds=0)
