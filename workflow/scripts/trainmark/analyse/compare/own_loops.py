"""Own loops: speeds by a framework's log and by the clock, and its own loop compared with ours."""

from typing import Any

import pandas as pd

from trainmark.analyse.compare.configurations import configurations, values
from trainmark.analyse.compare.statistics import ratio
from trainmark.study import plugins
from trainmark.study.axes import ALL_BUT_FRAMEWORK

CLOCK, LOG, SHARE = "training_speed", "logged_speed", "logged_share"
OF_EACH = ("mean", "half_width")
OF_OURS = (*OF_EACH, "remark", "disturbed")


def own_log(adapter: str) -> str | None:
    """The dialect of the log that an adapter's own loop or program prints, if it has one."""
    return plugins.facts_if_known("framework", adapter).get("DIALECT")


def beside(measurements: pd.DataFrame) -> pd.DataFrame:
    """One row per configuration whose log is the framework's own.

    Columns: those of `configurations` for the speed by the clock, and dialect; log_mean and
    log_half_width (images per second by the log); share_mean and share_half_width (the log's speed
    in percent of the clock's, run by run); ours_mean, ours_half_width and ours_remark (our loop in
    the same framework, by the clock); ratio, low and high (own loop over ours, by the clock). The
    disturbed runs are those of both loops.
    """
    dialects = {name: own_log(name) for name in measurements["adapter"].unique()}
    is_logged = measurements["adapter"].map(dialects).notna()
    logged, others = measurements[is_logged], measurements[~is_logged]
    table = configurations(logged, CLOCK)
    table["dialect"] = table["adapter"].map(dialects)
    for name, metric in (("log", LOG), ("share", SHARE)):
        of_metric = configurations(logged, metric)
        for column in OF_EACH:
            table[f"{name}_{column}"] = of_metric[column]
    ours = configurations(others, CLOCK)
    compared = [_beside_ours(row, ours) for _, row in table.iterrows()]
    columns = [*(f"ours_{name}" for name in OF_OURS), "ratio", "low", "high"]
    whole = table.join(pd.DataFrame(compared, index=table.index, columns=columns))
    ours_disturbed = whole.pop("ours_disturbed").fillna(0).astype(int)
    return whole.assign(disturbed=whole["disturbed"] + ours_disturbed)


def _beside_ours(own_loop: pd.Series, others: pd.DataFrame) -> dict[str, Any]:
    """The columns of our loop in the framework of an own loop; empty if it wasn't measured."""
    facts = plugins.facts("framework", own_loop["adapter"])
    same = (others[list(ALL_BUT_FRAMEWORK)] == own_loop[list(ALL_BUT_FRAMEWORK)]).all(axis=1)
    ours = others[same & (others["framework"] == facts["ENVIRONMENT"])]
    if ours.empty:
        return {}
    our_loop = ours.iloc[0]
    columns: dict[str, Any] = {f"ours_{name}": our_loop[name] for name in OF_OURS}
    if own_loop["n"] and our_loop["n"]:
        columns |= vars(ratio(values(own_loop), values(our_loop)))
    return columns
