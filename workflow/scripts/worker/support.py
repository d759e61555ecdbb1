"""Checks of a job against what an adapter supports."""

from typing import Any, Collection, Dict, Iterable, Mapping, Optional, Tuple

from worker import devices
from worker.events import Unsupported
from worker.job import Job

TF32_ELSEWHERE = "tf32 is a mode of NVIDIA GPUs from Ampere on"
FOLD = "fold_batch_norm"
"""The option of all adapters, because it changes the neutral network: see neutral.folding."""
PROCESSOR_HINTS = "processor_hints"
"""The option of all adapters to tell old libraries of the processor: see libraries.processor."""
AVERAGE = "weight_average"
"""The option of the adapters whose frameworks have a moving average of weights."""
SINCE_AMPERE = ("tf32", "bfloat16")
AMPERE = (8, 0)


def check(
    job: Job,
    precisions: Mapping[str, Collection[str]],
    options: Mapping[str, Any],
    several: Collection[str] = (),
    missing: Optional[Mapping[str, str]] = None,
    nodes: Collection[str] = (),
) -> Dict[str, Any]:
    """Return the adapter's options, {name: value}: the job's value, else the default.

    Raises events.Unsupported for a device, precision or option that the adapter doesn't support;
    the message lists the supported ones.

    precisions: the supported precisions by kind of device; options: {name: default}; several: the
    kinds of devices that a run may have several of; nodes: the kinds that may be on several nodes;
    missing: by precision, the reason why the adapter lacks it.
    """
    kind, count = job.device_kind, job.device_count
    _check_names("device", [kind], precisions)
    if count > 1 and kind not in several:
        raise Unsupported(f"{job.device}: {job.adapter} trains on one device")
    if job.node_count > 1 and kind not in nodes:
        raise Unsupported(f"{job.device}: {job.adapter} trains on one node")
    _check_precision(job, precisions[kind], missing or {})
    all_options = dict(options, **{FOLD: False, PROCESSOR_HINTS: True})
    _check_names("option", sorted(job.options), all_options)
    for name, value in job.options.items():
        if type(value) is not type(all_options[name]):
            default = all_options[name]
            expected = f"a {type(default).__name__}, like the default {default!r}"
            raise Unsupported(f"option {name} is {value!r}; it must be {expected}")
    if job.options.get(FOLD) and job.stage != "infer":
        raise Unsupported(f"option {FOLD} is for stage infer")
    return {name: job.options.get(name, default) for name, default in options.items()}


def check_average(job: Job, options: Mapping[str, Any]) -> None:
    """Check the option weight_average, the decay of a moving average of the weights; 0 is none."""
    if not 0 <= options[AVERAGE] < 1:
        raise Unsupported(f"option {AVERAGE} is {options[AVERAGE]}; it must be from 0 to below 1")
    is_possible = job.stage == "train" and job.device_count == 1 and not job.evaluate_every
    if options[AVERAGE] and not is_possible:
        reason = "is for stage train on one device, without evaluate_every"
        raise Unsupported(f"option {AVERAGE} {reason}")


def _check_precision(job: Job, supported: Collection[str], missing: Mapping[str, str]) -> None:
    if job.precision in supported:
        return
    reasons = dict(missing)
    if job.device_kind != "cuda":
        reasons["tf32"] = TF32_ELSEWHERE
    names = ", ".join(sorted(supported))
    message = f"{job.adapter} has no {job.precision} on {job.device_kind}; supported: {names}"
    raise Unsupported(reasons.get(job.precision, message))


def check_value(name: str, options: Mapping[str, Any], values: Collection[str]) -> None:
    """Raise events.Unsupported if the option `name` has none of the `values`."""
    if options[name] not in values:
        raise Unsupported(f"option {name} is {options[name]!r}; it must be {' or '.join(values)}")


def check_capability(job: Job, capability: Tuple[int, int]) -> None:
    """Raise events.Unsupported if GPUs of this compute capability lack the job's precision.

    On such GPUs, frameworks would compute in another type without a message.
    """
    if job.precision in SINCE_AMPERE and capability < AMPERE:
        raise Unsupported(
            f"{job.precision} is for NVIDIA GPUs from Ampere (8.0) on; "
            "this has compute capability {}.{}".format(*capability)
        )


def check_gpu_count(job: Job, count: int) -> None:
    """Raise events.Unsupported if a framework finds fewer GPUs than the job needs on each node."""
    kind, needed = job.device_kind, job.node_device_count
    if kind in devices.GPUS and count < needed:
        gpus = f"{count or 'no'} GPU{'s' if count > 1 else ''}"
        raise Unsupported(f"{job.adapter} finds {gpus}, but {job.device} needs {needed}")


def _check_names(kind: str, names: Iterable[str], supported: Collection[str]) -> None:
    for name in names:
        if name not in supported:
            listed = ", ".join(sorted(supported)) or "none"
            raise Unsupported(f"{kind} {name} is not supported; supported: {listed}")
