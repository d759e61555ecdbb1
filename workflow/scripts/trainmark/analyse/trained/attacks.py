"""The success of attacks, over all repeats of a configuration."""

from typing import Any

import numpy as np
import pandas as pd

from trainmark.analyse.compare.statistics import share
from trainmark.analyse.csv.attacks import COUNTS, MEANS
from trainmark.analyse.trained import repeats
from trainmark.study import plugins
from trainmark.study.axes import CONFIGURATION
from trainmark.study.stages import ATTACK

NO_EPSILON = -1.0  # instead of NaN in keys, since NaN isn't equal to itself


def success(attacks: pd.DataFrame, stage: str) -> pd.DataFrame:
    """One row per configuration of a stage, attack and epsilon, means over the repeats.

    Columns: those of a configuration, machine, status, remark, disturbed (runs), repeats,
    attacked_by, attack, title, epsilon, COUNTS, MEANS, and share (percent of the candidate images
    that fooled the network) with low and high, the ends of Wilson's 95 % interval. Candidates are,
    for a framework's own attacks, the images that it recognised before; for others' attacks, the
    images that fooled the attacked framework. Repeats attack the same images, so the interval is
    that of one run.
    """
    chosen = attacks[attacks["stage"] == stage]
    keyed = chosen.fillna({"epsilon": NO_EPSILON, "attack": ""})
    groups = keyed.groupby([*CONFIGURATION, "attack", "epsilon"], sort=False)
    rows = [dict(zip(CONFIGURATION, key, strict=False)) | _together(of) for key, of in groups]
    table = pd.DataFrame(rows) if rows else pd.DataFrame(columns=[*CONFIGURATION, *_EMPTY])
    whole, part = ("recognised", "fooled") if stage == ATTACK else ("made", "passed")
    shares = [share(*pair) for pair in zip(table[part], table[whole], strict=True)]
    return table.assign(**dict(zip(("share", "low", "high"), np.transpose(shares), strict=False)))


def _together(runs: pd.DataFrame) -> dict[str, Any]:
    first = runs.iloc[0]
    is_named = bool(first["attack"])
    return {
        **repeats.facts(runs),
        "attacked_by": first["attacked_by"],
        "attack": first["attack"] or None,
        "title": plugins.facts("attack", first["attack"])["TITLE"] if is_named else None,
        "epsilon": first["epsilon"] if first["epsilon"] != NO_EPSILON else None,
        **{name: runs[name].astype(float).mean() for name in (*COUNTS, *MEANS)},
    }


_EMPTY = (
    *("machine", "status", "remark", "disturbed", "repeats", "attacked_by", "attack", "title"),
    *("epsilon", *COUNTS, *MEANS, "share", "low", "high"),
)
