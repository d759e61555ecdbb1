"""The machine's settings as a study that gives none has them, for tests of runs."""

from trainmark.machine.disturbances import Limits
from trainmark.runs.measure import Patience
from trainmark.study.config import schemas

MACHINE = schemas.complete({})["machine"]
LIMITS = Limits(**MACHINE["limits"])
PATIENCE = Patience(**MACHINE["patience"])
