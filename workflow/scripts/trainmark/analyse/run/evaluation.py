"""Results of the evaluation after training."""

from trainmark.analyse.run.recording import Absent, Run


def evaluated(run: Run, quantity: str) -> float:
    """Return a number of the evaluation event; raises Absent where there was none."""
    if not run.job["evaluate"]:
        raise Absent(
            "the run was cut short" if run.loses_evaluation else "the case asks for no evaluation"
        )
    value = run.event("evaluation")[quantity]
    if value is None:
        raise Absent(f"the evaluation has no {quantity}")
    return float(value)
