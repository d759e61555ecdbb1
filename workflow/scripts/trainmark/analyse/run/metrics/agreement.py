"""How a run's predictions differ from those of the framework that trained its weights."""

from trainmark.analyse.run.metric import metric
from trainmark.analyse.run.recording import Absent, Run


@metric(
    title="Agreement",
    unit="%",
    number_format="{:.2f}",
    higher_is_better=True,
)
def agreement(run: Run) -> float:
    """Share of the test split that is given the same class as by the framework that trained.

    Percent; raises Absent where nothing trained by another run is evaluated.
    """
    return 100 * _agreed(run, "same") / _agreed(run, "count")


@metric(
    title="Images compared",
    unit="images",
    number_format="{:,.0f}",
)
def compared(run: Run) -> float:
    """Images of the test split that were predicted here and by the framework that trained.

    Images; raises Absent where nothing trained by another run is evaluated.
    """
    return _agreed(run, "count")


@metric(
    title="Recognised here alone",
    unit="images",
    number_format="{:,.0f}",
    higher_is_better=True,
)
def gained(run: Run) -> float:
    """Images of the test split that are recognised here, and not by the framework that trained.

    Images; raises Absent where nothing trained by another run is evaluated.
    """
    return _agreed(run, "gained")


@metric(
    title="No longer recognised",
    unit="images",
    number_format="{:,.0f}",
    higher_is_better=False,
)
def lost(run: Run) -> float:
    """Images of the test split that only the framework recognises that trained.

    Images; raises Absent where nothing trained by another run is evaluated.
    """
    return _agreed(run, "lost")


@metric(
    title="Logit difference",
    unit="relative",
    number_format="{:.1e}",
    higher_is_better=False,
)
def logit_difference(run: Run) -> float:
    """Largest difference of a logit from that of the framework that trained, by the largest logit.

    A share; raises Absent where nothing trained by another run is evaluated.
    """
    return _agreed(run, "logit_difference")


def _agreed(run: Run, quantity: str) -> float:
    """Return a number of the agreement event; raises Absent where it can't tell any."""
    if not run.job["trained_by"]:
        raise Absent("it predicts with no weights of another run (trained_by)")
    if "agreement" not in run.events:
        raise Absent("the run that trained the weights wasn't evaluated")
    event = run.event("agreement")
    if event["logit_difference"] is None:
        raise Absent("logits are not finite, here or in the run that trained the weights")
    return float(event[quantity])
