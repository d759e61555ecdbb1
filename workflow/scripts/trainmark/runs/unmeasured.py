"""Runs that can't be measured: the reason, before anything of them has started."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from trainmark.data import unavailable
from trainmark.errors import TrainmarkError
from trainmark.machine.gpu import for_device, lacking
from trainmark.runs import kept_arrays, records
from trainmark.runs.logs import last_lines
from trainmark.runs.outcome import NOT_NEEDED, Outcome
from trainmark.study import plugins


class NotMeasured(TrainmarkError):
    """The reason, in a line, why a run that was about to be measured can't be."""

    status = "failed"
    """The status of the run."""


def outcome(
    job: Mapping[str, Any],
    locks: Sequence[Mapping[str, Any]],
    excluded: str | None,
    not_needed: str | None,
) -> Outcome | None:
    """The status and the reason of a run that is left out; None of one to be measured.

    Arguments:
        job: the settings, and the paths of the data set and the reference.
        locks: what was installed in each of its environments, or why nothing could be.
        excluded: the study's reason.
        not_needed: why the repeats before this one are enough.

    """
    if excluded:
        return Outcome("unsupported", f"left out by the study: {excluded}")
    if reason := _unavailable(job, locks):
        return Outcome("unavailable", reason)
    if not_needed:
        return Outcome(NOT_NEEDED, not_needed)
    return None


def _unavailable(job: Mapping[str, Any], locks: Sequence[Mapping[str, Any]]) -> str | None:
    """Why framework, device, environments, data or arrays of other runs can't be had; else None."""
    if reason := plugins.facts("framework", job["adapter"]).get("UNAVAILABLE"):
        return str(reason)
    if reason := lacking(job["device"], for_device(job["device"])):
        return reason
    for lock in locks:
        if lock["status"] == "unavailable":
            return str(lock["reason"])
    reason = unavailable.reason(Path(job["data"])) if job["data"] else None
    if reason:
        return last_lines.short(f"no {job['dataset']}: {reason}")
    if job["trained"] and (reason := _no_weights(Path(job["trained"]), job["trained_by"])):
        return reason
    return _no_images(Path(job["attacked"])) if job["attacked"] else None


def _no_weights(path: Path, trained_by: str) -> str | None:
    """Why the trained weights can't be had; None where they can."""
    if not path.exists():
        return f"{path} was deleted: delete its folder, and give the same command again"
    for file in kept_arrays.damaged(path.parent):
        return f"{file} is damaged: delete its folder, and give the same command again"
    if not kept_arrays.has_arrays(path):
        return f"no trained weights: {trained_by} didn't train it"
    return None


def _no_images(record: Path) -> str | None:
    """Why a run's adversarial images can't be had; None where they can, or where it made none."""
    path = record.with_name(kept_arrays.ADVERSARIAL)
    if path.exists() or records.read(record)["status"] != "ok":
        return None
    return f"{path} was deleted: delete its folder, and give the same command again"
