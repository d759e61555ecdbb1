"""Plausibility checks of runs that ended well."""

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from scipy import stats

from trainmark.analyse.run.drift import drift_percent, has_drift
from trainmark.analyse.run.recording import Absent, Run
from trainmark.study import stages
from worker import devices, precisions

FEWEST_LOSSES = 20  # in which a trend can be seen
SURE = 0.01
COMPUTE_TYPES = {"tf32": "float32"}  # of precisions whose values aren't called like them
IDLE_CORES, IDLE_PERCENT = 0.2, 2.0  # a run below these worked elsewhere, or not at all


def violations(run: Run) -> list[str]:
    """What is implausible about a run that is ok, each in a few words; empty if nothing is."""
    found: list[str] = []
    for check in CHECKS:
        try:
            found += check(run)
        except Absent as absent:
            found.append(str(absent))
    return list(dict.fromkeys(found))


def _finite_losses(run: Run) -> Iterator[str]:
    for step, loss in enumerate(run.event("window_end")["losses"], start=1):
        if loss is None or not math.isfinite(loss):
            yield f"the loss is not finite from step {step} on"
            return


def _all_steps(run: Run) -> Iterator[str]:
    """A run that may end early, after so many seconds, has done at least one step.

    One that has to last so many seconds may have done more than were asked for. A framework's own
    loop doesn't tell when its steps end.
    """
    asked, window = run.job["steps"], run.event("window_end")
    done = len(window["step_end_seconds"] or window["losses"])
    least = 1 if run.job["max_seconds"] else asked
    most = math.inf if run.job["window_seconds"] else asked
    if window["steps"] != done or not least <= done <= most:
        yield f"{done} steps instead of {asked}"


def _version(run: Run) -> Iterator[str]:
    if not run.event("environment").get("version"):
        yield "the framework's version is unknown"


def _rising_losses(run: Run) -> Iterator[str]:
    """The loss may stay the same in a few steps, or on random images, but it must not rise."""
    losses = np.array(run.event("window_end")["losses"], dtype=float)
    if len(losses) < FEWEST_LOSSES or not np.isfinite(losses).all():
        return
    trend = stats.kendalltau(range(len(losses)), losses)
    quarter = len(losses) // 4
    first, last = losses[:quarter].mean(), losses[-quarter:].mean()
    chance = math.log(run.job["classes"])
    if trend.statistic > 0 and trend.pvalue < SURE and last > max(first, chance):
        yield f"the loss rises from {first:.3g} to {last:.3g}, above that of guessing"


def _threads(run: Run) -> Iterator[str]:
    """Threads of several processes are reported as their sum, which may differ by rounding."""
    asked, used = run.job["threads"], run.event("environment")["threads"]
    _, nodes, of_each = devices.shape(run.job["device"])
    in_parts = of_each * devices.threads(asked, run.job["device"])
    if used not in (None, nodes * asked, nodes * in_parts):
        yield f"{used} threads instead of {nodes * asked}"


def _precision(run: Run) -> Iterator[str]:
    """What computes must be the precision asked for; training keeps its weights in float32."""
    asked, told = run.job["precision"], run.event("network")
    if stages.is_runtime(run.job["adapter"]):
        yield from _form(asked, told)
        return
    allowed = {"float32", asked} if run.job["stage"] == "infer" else {"float32"}
    if unexpected := sorted(set(told["weight_types"]) - allowed):
        yield f"weights of {', '.join(unexpected)}"
    if told["compute_types"] != [COMPUTE_TYPES.get(asked, asked)]:
        found = ", ".join(told["compute_types"]) or "no type that could be read"
        yield f"{asked} was asked for; convolutions and products were computed in {found}"


def _form(asked: str, told: Mapping[str, Any]) -> Iterator[str]:
    """A form of a model has weights or products, or with 8 bits both, of what it is called by."""
    stored, _, quantised = asked.partition("-")
    signed = {name.replace("uint", "int") for name in told["weight_types"]}
    if stored not in {*signed, *told["compute_types"]}:
        yield f"{asked} was asked for; weights are of {', '.join(told['weight_types'])}"
    if quantised and asked != precisions.WEIGHTS_ALONE and stored not in told["compute_types"]:
        yield f"{asked} was asked for; products are of {', '.join(told['compute_types'])}"


def _busy(run: Run) -> Iterator[str]:
    """The processors, or the GPUs that the run was given, must have been busy with it."""
    try:
        run.check_sampled()
    except Absent:  # too short a window tells no load, and the metrics say so
        return
    cores = run.record["load"]["own_cpu"]
    provenance = run.record["provenance"]
    there = sum(node["host"]["cores"] for node in (provenance, *provenance.get("nodes", [])))
    if cores > 1.1 * there:
        yield f"{cores:.1f} cores used of {there}"
    if devices.parts(run.job["device"])[0] == "cpu" and cores < IDLE_CORES:
        yield f"only {cores:.2f} cores used on the CPU"
    for number, percent in enumerate(_gpu_percents(run)):
        if percent < IDLE_PERCENT:
            yield f"GPU {number} was idle ({percent:.0f} % busy)"


def _gpu_percents(run: Run) -> list[float]:
    """How busy each GPU was; nothing where none was used or the driver doesn't tell."""
    try:
        return [series.mean() for series in run.gpu_series("utilisation_percent")]
    except Absent:
        return []


def _steady(run: Run) -> Iterator[str]:
    """Step times that are steady before the window and in it, where there are step times."""
    if run.events.get("settled", {"steady": None})["steady"] is False:
        yield "step times were not steady before the window"
    try:
        drifts = has_drift(run)
    except Absent:  # a framework that queues its steps has no step times
        return
    if drifts:
        yield f"step times drift by {drift_percent(run):+.0f} % over the window"


CHECKS = (
    _finite_losses,
    _rising_losses,
    _all_steps,
    _version,
    _threads,
    _precision,
    _busy,
    _steady,
)
