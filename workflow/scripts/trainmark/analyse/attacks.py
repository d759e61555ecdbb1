"""attacks.csv: what each attack came to in each run, for tables and figures; and of all repeats."""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import pandas as pd

from trainmark.analyse.across.statistics import share
from trainmark.analyse.measurements import RUN, beside_their_runs, needed
from trainmark.analyse.run.recording import Run
from trainmark.study import plugins
from trainmark.study.axes import CONFIGURATION
from trainmark.study.stages import ATTACK

EVENTS = {ATTACK: "attacks", "infer": "transferred"}
"""What tells of attacks, by the stage: the run's own, or those that it predicts."""

COUNTS = ("count", "recognised", "fooled", "made", "passed")
MEANS = ("l2_mean", "linf_mean", "predictions", "gradients", "seconds")
COLUMNS = (*RUN, "attacked_by", "attack", "epsilon", *COUNTS, *MEANS, "l2_median", "linf_median")
NO_EPSILON = -1.0  # in keys, where NaN is none


def tabulate(runs: Iterable[Run]) -> pd.DataFrame:
    """A row for each run, attack and epsilon, in the order of the study.

    Of runs of stage attack, and of runs that predict what these made. One that told nothing has one
    row. Columns: those of a run; attacked_by, the framework that attacked; attack; epsilon (pixels
    from 0 to 1), if it takes one; the images (count), those recognised before and those of them
    that it fooled; of others' attacks those that it had fooled there (made), and how many of these
    aren't recognised here (passed); of its own the distances of the images that fooled, of how many
    images it asked predictions and gradients, and seconds.
    """
    return beside_their_runs(filter(_attacks, needed(runs)), _rows, COLUMNS)


def success(attacks: pd.DataFrame, stage: str) -> pd.DataFrame:
    """One row per configuration of a stage, attack and epsilon, means over the repeats.

    Columns: those of a configuration, machine, status, remark, disturbed (runs), repeats,
    attacked_by, attack, title, epsilon, COUNTS, MEANS, share (percent of what could be fooled that
    was) with low and high, the ends of Wilson's 95 % interval. What could be: of own attacks, the
    images that were recognised; of others', those that fooled there. Repeats attack the same
    images, so the interval is that of one run's.
    """
    chosen = attacks[attacks["stage"] == stage]
    keyed = chosen.fillna({"epsilon": NO_EPSILON, "attack": ""})
    groups = keyed.groupby([*CONFIGURATION, "attack", "epsilon"], sort=False)
    rows = [dict(zip(CONFIGURATION, key, strict=False)) | _together(of) for key, of in groups]
    found = pd.DataFrame(rows) if rows else pd.DataFrame(columns=[*CONFIGURATION, *_EMPTY])
    whole, part = ("recognised", "fooled") if stage == ATTACK else ("made", "passed")
    shares = [share(*pair) for pair in zip(found[part], found[whole], strict=True)]
    return found.assign(**dict(zip(("share", "low", "high"), np.transpose(shares), strict=False)))


def _attacks(run: Run) -> bool:
    return run.job["stage"] == ATTACK or run.job["attacked_by"] is not None


def _rows(run: Run) -> Iterator[dict[str, Any]]:
    stage = run.job["stage"]
    by = {"attacked_by": run.job["framework"] if stage == ATTACK else run.job["attacked_by"]}
    told = run.events.get(EVENTS[stage])
    if told is None or run.record["status"] != "ok":
        yield by
        return
    lists = {name: value for name, value in told.items() if isinstance(value, list)}
    whole = {name: told[name] for name in ("count", "recognised")}
    for values in zip(*lists.values(), strict=True):
        yield by | whole | dict(zip(lists, values, strict=True))


def _together(runs: pd.DataFrame) -> dict[str, Any]:
    ok = runs["status"] == "ok"
    first = runs.iloc[0]
    reasons = runs["reason"].dropna()
    is_named = bool(first["attack"])
    return {
        "machine": first["machine"],
        "status": "ok" if ok.any() else first["status"],
        "remark": reasons.iloc[0] if len(reasons) else None,
        "disturbed": int((ok & runs["disturbed"]).sum()),
        "repeats": len(runs),
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
