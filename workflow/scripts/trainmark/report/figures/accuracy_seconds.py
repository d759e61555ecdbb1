"""Accuracy after so many seconds of training: what a network has learnt on its way."""

import pandas as pd
from matplotlib.figure import Figure

from trainmark.report.show import learning

TITLE = "Accuracy by training time"
SOURCE = "accuracies"
STAGES = ("train",)
SETTING = "evaluate_every"
VALUE = "top1"


def data(accuracies: pd.DataFrame) -> pd.DataFrame:
    """One row per evaluation."""
    return learning.data(accuracies)


def draw(data: pd.DataFrame, title: str, note: str = "") -> Figure:
    """A curve for each run, in a panel per case."""
    return learning.draw(data, title, note, "seconds", "seconds of training, without evaluations")
