"""How busy the GPUs are during the window."""

from statistics import fmean

from trainmark.analyse.run.integral import integral
from trainmark.analyse.run.metric import metric
from trainmark.analyse.run.recording import Run


@metric(
    title="GPU utilisation",
    unit="%",
    number_format="{:,.0f}",
)
def gpu_utilisation(run: Run) -> float:
    """Share of the window in which a GPU computed anything, averaged over the GPUs used.

    Percent, as the vendor's driver tells it; raises Absent without a GPU or where it isn't read.
    """
    return fmean(utilisation_percents(run))


def utilisation_percents(run: Run) -> list[float]:
    """Mean utilisation of each GPU over the window, in percent; raises Absent as above."""
    series = run.gpu_series("utilisation_percent")
    return [integral(each) / run.window_seconds for each in series]
