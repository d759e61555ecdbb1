"""What images cost, by the price of the machine (`machine.price`) and the speed of the stage."""

from trainmark.analyse.run.metric import metric
from trainmark.analyse.run.metrics.speed import images_per_second, require_images
from trainmark.analyse.run.recording import Absent, Run

HOUR = 3600


@metric(
    title="Images per dollar",
    unit="images/USD",
    number_format="{:,.0f}",
    higher_is_better=True,
)
def images_per_dollar(run: Run) -> float:
    """Images of the stage per US dollar of the machine's rent, at the speed of the window.

    Images per USD; raises Absent without a rent by the hour or a window, and in stage generate.
    """
    return _speed(run) * HOUR / _price(run, "usd_per_hour")


@metric(
    title="Speed per 1,000 USD",
    unit="images/s",
    number_format="{:,.1f}",
    higher_is_better=True,
)
def speed_per_1000_usd(run: Run) -> float:
    """The speed of the stage per 1,000 US dollars of the machine's price.

    Images per second; raises Absent without a price or a window, and in stage generate.
    """
    return _speed(run) / (_price(run, "usd") / 1000)


def _speed(run: Run) -> float:
    require_images(run)
    return images_per_second(run, run.job["stage"])


def _price(run: Run, kind: str) -> float:
    if kind not in run.price:
        raise Absent(f"the study states no price.{kind} of the machine")
    return float(run.price[kind])
