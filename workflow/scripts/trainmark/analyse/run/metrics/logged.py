"""Speeds that logs of frameworks' own loops and programs state."""

from trainmark.analyse.run.metric import metric
from trainmark.analyse.run.metrics.speed import training_speed
from trainmark.analyse.run.recording import Absent, Run


@metric(
    title="Training speed by the log",
    unit="images/s",
    number_format="{:,.1f}",
    higher_is_better=True,
    stages=("train",),
)
def logged_speed(run: Run) -> float:
    """Speed by the log that a framework's own loop or program prints, of the same window.

    Images per second; raises Absent where no log of the framework's own states a speed.
    """
    if "logged" not in run.events:
        raise Absent("no log of the framework's own states a speed")
    return float(run.event("logged")["images_per_second"])


@metric(
    title="Speed by the log, of that by the clock",
    unit="%",
    number_format="{:.1f}",
    higher_is_better=True,
    stages=("train",),
)
def logged_share(run: Run) -> float:
    """Speed by the log, relative to that by the clock: of the same steps, in the same run.

    Percent; raises Absent where there is no such log.
    """
    return 100 * logged_speed(run) / training_speed(run)
