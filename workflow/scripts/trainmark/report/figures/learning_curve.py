"""Mean loss by the steps trained."""

import pandas as pd
from matplotlib.figure import Figure

from trainmark.report.draw import losses

TITLE = "Learning curves"
SOURCE = "losses"
STAGES = ("train",)
VALUE = "loss"
NOTE = (
    "Frameworks that do equal work have the same losses, and their lines lie on each other. Each "
    "framework's line is drawn wider than the next one's, so that its edges stay visible."
)
X = "steps", "steps trained, warm-up included"


def data(spans: pd.DataFrame) -> pd.DataFrame:
    """One row per point of a curve, or per run that has none, with the reason."""
    return losses.data(spans)


def draw(data: pd.DataFrame, title: str, note: str = "") -> Figure:
    """A curve for each framework's runs, in a panel per case."""
    return losses.draw(data, title, f"{NOTE}\n{note}", X, wider=1.0)
