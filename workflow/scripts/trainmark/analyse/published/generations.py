"""How many times as fast one published machine is as another, by framework and case."""

import numpy as np
import pandas as pd

ALL = "all"
KEYS = ["case", "framework"]


def generations(values: pd.DataFrame, old: str, new: str) -> pd.DataFrame:
    """One row per case and framework with training speeds on one device of both result sets.

    Takes the measurements of a published study (`result_sets.measurements`). Columns: case,
    framework, ratio (new / old). Rows of framework ALL have the geometric mean of a case's ratios,
    those of case ALL that of a framework's, and that of all ratios.
    """
    speeds = values[(values["metric"] == "training_speed") & values["device"].str.endswith(":1")]
    wide = speeds.pivot_table(index=KEYS, columns="machine_name", values="value", sort=False)
    each = (wide[new] / wide[old]).dropna().rename("ratio").reset_index()
    of_cases = _means(each, "case").assign(framework=ALL)
    of_frameworks = _means(each, "framework").assign(case=ALL)
    of_all = _means(each.assign(case=ALL), "case").assign(framework=ALL)
    with_means = pd.concat([each, of_cases]).sort_values(
        "case", key=lambda names: names.map(list(each["case"].unique()).index), kind="stable"
    )
    return pd.concat([with_means, of_frameworks, of_all], ignore_index=True)[[*KEYS, "ratio"]]


def _means(ratios: pd.DataFrame, name: str) -> pd.DataFrame:
    """The geometric mean of the ratios of each value of a column."""
    logs = np.log(ratios["ratio"]).groupby(ratios[name], sort=False).mean()
    means: pd.DataFrame = np.exp(logs).rename("ratio").reset_index()
    return means
