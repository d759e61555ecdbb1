"""How large the network is, in the framework and as files of a runtime."""

from trainmark.analyse.run.metric import metric
from trainmark.analyse.run.recording import Absent, Run


@metric(
    title="Parameters",
    unit="parameters",
    number_format="{:,.0f}",
)
def parameter_count(run: Run) -> float:
    """Trainable parameters that the framework itself counts.

    Count; raises Absent where the network was never built.
    """
    return float(run.event("network")["parameter_count"])


@metric(
    title="Model size",
    unit="MB",
    number_format="{:.3g}",
    higher_is_better=False,
)
def model_size(run: Run) -> float:
    """Size of the network's weights as the framework holds them.

    Megabytes (1e6); raises Absent where the network was never built.
    """
    return float(run.event("network")["model_bytes"]) / 1e6


@metric(
    title="File size",
    unit="MB",
    number_format="{:.3g}",
    higher_is_better=False,
)
def file_size(run: Run) -> float:
    """Size of the files that a runtime predicts from.

    Megabytes (1e6); raises Absent for a framework, which has no such file.
    """
    return _of_model(run, "bytes") / 1e6


@metric(
    title="Load time",
    unit="ms",
    number_format="{:,.1f}",
    higher_is_better=False,
)
def load_time(run: Run) -> float:
    """Time in which a runtime loads its first model from the files on the disk, before any call.

    Milliseconds; raises Absent for a framework, which has no such file.
    """
    return 1000 * _of_model(run, "load_seconds")


def _of_model(run: Run, quantity: str) -> float:
    """Return a number of the model event; raises Absent where there was none."""
    if "model" not in run.events:
        raise Absent("a framework has its network in memory, no file of it")
    return float(run.event("model")[quantity])
