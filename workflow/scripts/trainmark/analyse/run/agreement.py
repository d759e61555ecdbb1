"""How far a run predicts what the framework did that trained its weights."""

from trainmark.analyse.run.recording import Absent, Run


def agreed(run: Run, quantity: str) -> float:
    """Return a number of the agreement event; raises Absent where it can't tell any."""
    if not run.job["trained_by"]:
        raise Absent("it predicts with no weights of another run (trained_by)")
    if "agreement" not in run.events:
        raise Absent("the run that trained the weights wasn't evaluated")
    found = run.event("agreement")
    if found["logit_difference"] is None:
        raise Absent("logits are not finite, here or in the run that trained the weights")
    return float(found[quantity])


def of_model(run: Run, quantity: str) -> float:
    """Return a number of the model event; raises Absent where there was none."""
    if "model" not in run.events:
        raise Absent("a framework has its network in memory, no file of it")
    return float(run.event("model")[quantity])
