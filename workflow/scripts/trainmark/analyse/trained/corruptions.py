"""corruptions.csv: accuracy and agreement on the same test images as they are and corrupted."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd

from trainmark.analyse.across.statistics import mcnemar
from trainmark.analyse.measurements import RUN, beside_their_runs, needed
from trainmark.analyse.run.recording import Absent, Run
from trainmark.study.axes import CONFIGURATION

ORIGINAL = "original"
"""What the images are called that nothing was done to."""
COUNTS = ("count", "same", "gained", "lost")
QUANTITIES = (*COUNTS, "top1", "logit_difference")
COLUMNS = (*RUN, "corruption", *QUANTITIES, "absent")
FOUND = (
    "machine",
    "status",
    "remark",
    "disturbed",
    "repeats",
    "n",
    "count",
    "top1",
    "change",
    "agreement",
    "logit_difference",
    "chance",
)
"""What is known of a configuration and a kind of images."""


def tabulate(runs: Iterable[Run]) -> pd.DataFrame:
    """One row per run and kind of images, of the runs whose job names corruptions.

    Columns: those of a run, corruption, count (images), top1 (percent), and beside the framework
    that trained same, gained, lost (images) and logit_difference, empty of that one itself; absent,
    why a run has none of them.
    """
    asked = (run for run in needed(runs) if run.job["corruptions"])
    return beside_their_runs(asked, _rows, COLUMNS)


def of_configurations(table: pd.DataFrame) -> pd.DataFrame:
    """One row per configuration and kind of images, over all repeats.

    Columns: those of a configuration, corruption, machine, status ("ok" if any run was), remark,
    disturbed and repeats (runs), n (runs with values), count (images), top1 (mean), change (of top1
    from that of the framework that trained, in points, on the same images), agreement (percent of
    the images), logit_difference (the largest), and chance: McNemar's test of the images gained and
    lost, as of one run with their mean numbers, since repeats predict the same images.
    """
    groups = table.groupby([*CONFIGURATION, "corruption"], sort=False)
    names = [*CONFIGURATION, "corruption"]
    rows = [dict(zip(names, key, strict=True)) | _together(runs) for key, runs in groups]
    return pd.DataFrame(rows, columns=[*names, *FOUND])


def _rows(run: Run) -> Iterator[dict[str, Any]]:
    """A run that predicted none has a row for each kind of images too, with the reason."""
    try:
        yield from _predicted(run)
    except Absent as absent:
        for name in (None, *run.job["corruptions"]):
            yield {"corruption": name or ORIGINAL, "absent": str(absent)}


def _predicted(run: Run) -> Iterator[dict[str, Any]]:
    if run.record["status"] != "ok":
        raise Absent(": ".join(filter(None, (run.record["status"], run.record["reason"]))))
    told = run.event("corruptions")
    for place, name in enumerate(told["names"]):
        found = {quantity: told[quantity][place] for quantity in QUANTITIES if quantity in told}
        yield {"corruption": name or ORIGINAL} | _comparable(found)


def _comparable(told: Mapping[str, Any]) -> dict[str, Any]:
    """The quantities that are known: beside the trainer none where logits aren't finite."""
    names = QUANTITIES if told.get("logit_difference") is not None else ("count", "top1")
    return {name: told[name] for name in names}


def _together(runs: pd.DataFrame) -> dict[str, Any]:
    ok, valued = runs["status"] == "ok", runs.dropna(subset="top1")
    count, same, gained, lost = (valued[name].mean() for name in COUNTS)
    reasons = runs["absent"].dropna()
    return {
        "machine": runs["machine"].iloc[0],
        "status": "ok" if ok.any() else runs["status"].iloc[0],
        "remark": reasons.iloc[0] if len(reasons) else np.nan,
        "disturbed": int((ok & runs["disturbed"]).sum()),
        "repeats": len(runs),
        "n": len(valued),
        "count": count,
        "top1": valued["top1"].mean(),
        "change": 100 * (gained - lost) / count,
        "agreement": 100 * same / count,
        "logit_difference": valued["logit_difference"].max(),
        "chance": mcnemar(gained, lost),
    }
