"""How far the framework is from the float64 reference."""

from trainmark.analyse.run.metric import metric
from trainmark.analyse.run.recording import Absent, Run

NOT_FINITE = "the parity error is not finite"


@metric(
    title="Parity error",
    unit="relative",
    number_format="{:.1e}",
    higher_is_better=False,
    proof="parity",
)
def parity_error(run: Run) -> float:
    """Worst relative difference between the run's first steps and the float64 reference.

    Worst of all quantities of docs/method/parity.md; raises Absent without a reference.
    """
    error = run.event("parity")["error"]
    if error is None:
        raise Absent(NOT_FINITE)
    return float(error)
