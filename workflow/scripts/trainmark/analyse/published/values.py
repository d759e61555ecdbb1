"""Published results in the form of measurements, so that the same code reports them and ours."""

from pathlib import Path
from typing import Any

import pandas as pd

from trainmark.analyse.csv.measurements import COLUMNS
from trainmark.runs.formats import FORMAT
from trainmark.study import axes

NOT_MEASURED = "not measured"
NOT_AVAILABLE = "not available to the study"


def read_settings(path: Path) -> pd.DataFrame:
    """Read a study's settings.csv: a row per case, whose figure has a number like 5.3."""
    return pd.read_csv(path, dtype={"figure": str})


def measurements(values: Path, settings: pd.DataFrame, study: str, machine: str) -> pd.DataFrame:
    """Turn a study's values.csv into measurements, in the order of the study.

    A value stands for all repeats of its configuration, as one. A configuration without any value
    on a device was unavailable there; what else it has no value of wasn't measured. A column
    `remark`, where values.csv has one, is what a reader must know beside the value.
    """
    keys = ["dataset", "network"]
    table = pd.read_csv(values).merge(
        settings[[*keys, "batch_size"]], on=keys, how="left", validate="m:1"
    )
    counts = table.groupby([*keys, "framework", "device"])["value"].transform("count")
    missing = counts == 0
    nothing = pd.Series(None, table.index, dtype=object)
    unavailable = nothing.mask(missing, f"unavailable: {NOT_AVAILABLE}")
    return of_one_run(
        table,
        missing,
        study=study,
        case=table["dataset"] + " " + table["network"],
        adapter=table["framework"].str.lower(),
        reason=table.get("remark", nothing).astype(object).mask(missing, NOT_AVAILABLE),
        machine=machine,
        absent=unavailable.mask(table["value"].isna() & ~missing, NOT_MEASURED),
    )[list(COLUMNS)]


def of_one_run(table: pd.DataFrame, unavailable: pd.Series, **columns: Any) -> pd.DataFrame:
    """Published values with the columns of measurements that are alike in all of them.

    Each counts as one run. `unavailable` says which are of a configuration without any value.
    """
    unsaid = {name: value for name, value in axes.DEFAULTS.items() if name not in table}
    alike: dict[str, Any] = {**unsaid, "environment": "unknown", "repeat": 1, "disturbed": False}
    status = pd.Series("ok", table.index).mask(unavailable, "unavailable")
    return table.assign(**{**alike, **columns}, default_of=None, status=status, format=FORMAT)
