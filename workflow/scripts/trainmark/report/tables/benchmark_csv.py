"""The six columns that the GPU benchmark's fork writes, one row per run, as it names them.

Source: github.com/OryanOmer/deep-learning-benchmark at c8671a7, its benchGPUResult.csv.
"""

import pandas as pd

from trainmark.report.words import cells

TITLE = "Results in the columns of the GPU benchmark"
SOURCE = "latencies"
BLOCK = "Framework"
STAGES = {"infer": "eval"}
PRECISIONS = {"float32": "fp32", "float16": "fp16", "bfloat16": "bf16"}
NOTE = (
    "Result: mean milliseconds of an iteration, each waited for; empty where a run has none. "
    "gradients is what the GPU benchmark calls train: no update."
)


def make(latencies: pd.DataFrame) -> pd.DataFrame:
    """One row per run, with the fork's own names of columns, stages and precisions."""
    means = [f"{calls.mean():.1f}ms" if len(calls) else None for calls in latencies["milliseconds"]]
    return pd.DataFrame(
        {
            "Timestamp": latencies["started"],
            "Framework": latencies["framework"],
            "Algoritem": latencies["network"],
            "BenchStage": latencies["stage"].replace(STAGES),
            "Precision": latencies["precision"].replace(PRECISIONS),
            "Result": means,
        }
    )


def show(table: pd.DataFrame) -> pd.DataFrame:
    """The table as it is: it is for programs."""
    return table.fillna(cells.NOTHING)


def notes(table: pd.DataFrame) -> list[str]:
    """The meaning of a result."""
    return [NOTE]
