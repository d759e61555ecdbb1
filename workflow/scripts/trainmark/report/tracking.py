"""The runs of a study as trackers of experiments take them: settings, values, series, tags."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

import pandas as pd

from trainmark.study.axes import KEY

RUN = (*KEY, "repeat")


def runs(
    measurements: pd.DataFrame, losses: pd.DataFrame, records: Iterable[Mapping[str, Any]]
) -> Iterator[dict[str, Any]]:
    """Each run, from the tidy tables and the content of its run.json.

    Keys: study, name, began and ended (milliseconds since 1970), is_ok, settings and tags (texts),
    values (of each metric that it has, in the metric's unit), series (of the loss by steps).
    """
    valued = dict(list(measurements.dropna(subset="value").groupby(list(RUN))))
    curves = dict(list(losses.dropna(subset="loss").groupby(list(RUN))))
    for record in records:
        job = record["job"]
        key = tuple(
            job[name] if name in ("batch_size", "repeat") else str(job[name]) for name in RUN
        )
        measured = valued.get(key, measurements[:0])
        points = curves.get(key, losses[:0])
        began = _milliseconds(record["provenance"].get("started"))
        yield {
            "study": job["study"],
            "name": "/".join(map(str, key)),
            "began": began,
            "ended": began + round(1000 * (record.get("wall_seconds") or 0)),
            "is_ok": record["status"] == "ok",
            "settings": {name: str(value) for name, value in job.items()},
            "tags": dict(_tags(record)),
            "values": dict(zip(measured["metric"], measured["value"], strict=True)),
            "series": {"loss": list(zip(points["steps"].astype(int), points["loss"], strict=True))},
        }


def _tags(record: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    provenance = record["provenance"]
    yield "status", record["status"]
    yield "reason", record["reason"] or ""
    yield "disturbances", "; ".join(record["disturbances"])
    yield "version", str((record.get("worker") or {}).get("version", ""))
    yield from ((name, str(value)) for name, value in provenance["host"].items())
    yield "trainmark", f"{provenance.get('trainmark')} {provenance.get('revision') or ''}".strip()


def _milliseconds(time: str | None) -> int:
    return round(1000 * datetime.fromisoformat(time).timestamp()) if time else 0
