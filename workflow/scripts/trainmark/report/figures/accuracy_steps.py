"""Accuracy after so many training steps: what a network has learnt on its way."""

import pandas as pd
from matplotlib.figure import Figure

from trainmark.report.draw import accuracies

TITLE = "Accuracy by training steps"
SOURCE = "accuracies"
STAGES = ("train",)
SETTING = "evaluate_every"
VALUE = "top1"


def data(evaluations: pd.DataFrame) -> pd.DataFrame:
    """One row per evaluation."""
    return accuracies.data(evaluations)


def draw(data: pd.DataFrame, title: str, note: str = "") -> Figure:
    """A curve for each run, in a panel per case."""
    return accuracies.draw(data, title, note, "steps", "training steps")
