"""Mean loss by the seconds of training."""

import pandas as pd
from matplotlib.figure import Figure

from trainmark.report.draw import losses

TITLE = "Learning over time"
SOURCE = "losses"
STAGES = ("train",)
VALUE = "loss"
X = "seconds", "seconds of training, warm-up included"
NOTE = "Seconds are as if all steps of a window had taken the same time."


def data(spans: pd.DataFrame) -> pd.DataFrame:
    """One row per point of a curve, or per run that has none, with the reason."""
    return losses.data(spans)


def draw(data: pd.DataFrame, title: str, note: str = "") -> Figure:
    """A curve for each framework's runs, in a panel per case."""
    return losses.draw(data, title, f"{NOTE}\n{note}", X)
