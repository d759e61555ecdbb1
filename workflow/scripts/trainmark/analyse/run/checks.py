"""Plausibility checks of runs with status ok."""

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import scipy

from trainmark.analyse.run.drift import drift_percent, has_drift
from trainmark.analyse.run.hardware import nodes
from trainmark.analyse.run.metrics.gpu import utilisation_percents
from trainmark.analyse.run.recording import Absent, Run
from trainmark.study import stages
from worker import devices, precisions

FEWEST_LOSSES = 20  # with fewer, a trend can't be seen
SIGNIFICANCE_LEVEL = 0.01
COMPUTE_TYPES = {"tf32": "float32"}  # for precisions whose values have a type of another name
MOST_OF_CORES = 1.1  # of the cores that there are; a run that used more was measured wrongly
IDLE_CORES, IDLE_PERCENT = 0.2, 2.0  # a run below these computed elsewhere, or not at all


def violations(run: Run) -> list[str]:
    """Reasons why a run with status ok is implausible, in a few words each; empty if none."""
    reasons: list[str] = []
    for check in CHECKS:
        try:
            reasons += check(run)
        except Absent as absent:
            reasons.append(str(absent))
    return list(dict.fromkeys(reasons))


def _finite_losses(run: Run) -> Iterator[str]:
    """Every loss of the window must be finite."""
    for step, loss in enumerate(run.event("window_end")["losses"], start=1):
        if loss is None or not math.isfinite(loss):
            yield f"the loss is not finite from step {step} on"
            return


def _all_steps(run: Run) -> Iterator[str]:
    """The number of steps must be the requested one, with exceptions by the job's bounds.

    With max_seconds a run may have fewer steps, but at least one; with window_seconds it may have
    more. Steps are counted by their ends, in a framework's own loop, which reports none, by losses.
    """
    requested, window = run.job["steps"], run.event("window_end")
    done = len(window["step_end_seconds"] or window["losses"])
    least = 1 if run.job["max_seconds"] else requested
    most = math.inf if run.job["window_seconds"] else requested
    if window["steps"] != done or not least <= done <= most:
        yield f"{done} steps instead of {requested}"


def _version(run: Run) -> Iterator[str]:
    """The framework's version must be known."""
    if not run.event("environment").get("version"):
        yield "the framework's version is unknown"


def _rising_losses(run: Run) -> Iterator[str]:
    """The loss may stay the same in a few steps, or on random images, but it must not rise."""
    losses = np.array(run.event("window_end")["losses"], dtype=float)
    if len(losses) < FEWEST_LOSSES or not np.isfinite(losses).all():
        return
    quarter = len(losses) // 4
    first, last = losses[:quarter].mean(), losses[-quarter:].mean()
    if last <= max(first, math.log(run.job["classes"])):
        return
    trend = scipy.stats.kendalltau(range(len(losses)), losses)
    if trend.statistic > 0 and trend.pvalue < SIGNIFICANCE_LEVEL:
        yield f"the loss rises from {first:.3g} to {last:.3g}, above that of guessing"


def _threads(run: Run) -> Iterator[str]:
    """Threads of several processes are reported as their sum, which may differ by rounding."""
    requested, used = run.job["threads"], run.event("environment")["threads"]
    _, nodes, per_node = devices.shape(run.job["device"])
    in_parts = per_node * devices.threads(requested, run.job["device"])
    if used not in (None, nodes * requested, nodes * in_parts):
        yield f"{used} threads instead of {nodes * requested}"


def _precision(run: Run) -> Iterator[str]:
    """Operations must compute in the requested precision; training keeps weights in float32."""
    requested, network = run.job["precision"], run.event("network")
    if stages.is_runtime(run.job["adapter"]):
        yield from _form(requested, network)
        return
    allowed = {"float32", requested} if run.job["stage"] in precisions.PREDICTING else {"float32"}
    if unexpected := sorted(set(network["weight_types"]) - allowed):
        yield f"weights of {', '.join(unexpected)}"
    if network["compute_types"] != [COMPUTE_TYPES.get(requested, requested)]:
        types = ", ".join(network["compute_types"]) or "no type that could be read"
        yield f"{requested} was requested; convolutions and products were computed in {types}"


def _form(requested: str, network: Mapping[str, Any]) -> Iterator[str]:
    """A form's weights or products must have the type in its name; with 8 bits, often both."""
    stored, _, quantised = requested.partition("-")
    signed = {name.replace("uint", "int") for name in network["weight_types"]}
    if stored not in {*signed, *network["compute_types"]}:
        yield f"{requested} was requested; weights are of {', '.join(network['weight_types'])}"
    if (
        quantised
        and requested != precisions.WEIGHTS_ALONE
        and stored not in network["compute_types"]
    ):
        yield f"{requested} was requested; products are of {', '.join(network['compute_types'])}"


def _busy(run: Run) -> Iterator[str]:
    """The processors, or the GPUs of the run, must have been busy with it."""
    try:
        run.check_sampled()
    except Absent:  # a too short window has no load; the metrics report that
        return
    cores = run.record["load"]["own_cpu"]
    available = sum(node["host"]["cores"] for node in nodes(run.record["provenance"]))
    if cores > MOST_OF_CORES * available:
        yield f"{cores:.1f} cores used of {available}"
    if devices.parts(run.job["device"])[0] == "cpu" and cores < IDLE_CORES:
        yield f"only {cores:.2f} cores used on the CPU"
    try:
        percents = utilisation_percents(run)
    except Absent:  # there are no GPUs, or it can't be read
        percents = []
    for number, percent in enumerate(percents):
        if percent < IDLE_PERCENT:
            yield f"GPU {number} was idle ({percent:.0f} % busy)"


def _steady(run: Run) -> Iterator[str]:
    """Step times, if there are any, must be steady before the window and in it."""
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
