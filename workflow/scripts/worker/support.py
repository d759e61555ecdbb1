"""What a job asks for, checked against what an adapter supports."""

from typing import Any, Collection, Dict, Iterable, Mapping, Optional, Tuple

from worker import devices
from worker.events import Unsupported
from worker.job import Job

TF32_ON_CPU = "tf32 is a mode of NVIDIA GPUs from Ampere on"
FOLD = "fold_batch_norm"
"""The option that is of the neutral network, so of all adapters: see networks.neutral.folding."""
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
    """Return the job's options, completed by the adapter's own `options`: {name: default}.

    `precisions` are those that the adapter computes in, by kind of device, `missing` says why it
    lacks others; `several` are the kinds of which it takes more than one device, `nodes` those of
    which it takes devices of several nodes. Raises events.Unsupported, naming what there is, for
    what is not among the adapter's.
    """
    kind, count = job.device_kind, job.device_count
    _known("device", [kind], precisions)
    if count > 1 and kind not in several:
        raise Unsupported(f"{job.device}: {job.adapter} trains on one device")
    if job.node_count > 1 and kind not in nodes:
        raise Unsupported(f"{job.device}: {job.adapter} trains on one node")
    _check_precision(job, precisions[kind], missing or {})
    all_options = dict(options, **{FOLD: False})
    _known("option", sorted(job.options), all_options)
    for name, value in job.options.items():
        if type(value) is not type(all_options[name]):
            default = all_options[name]
            wanted = f"a {type(default).__name__}, as {default!r} is"
            raise Unsupported(f"option {name} is {value!r}; it must be {wanted}")
    if job.options.get(FOLD) and job.stage != "infer":
        raise Unsupported(f"option {FOLD} is for stage infer")
    return {name: job.options.get(name, default) for name, default in options.items()}


def _check_precision(job: Job, known: Collection[str], missing: Mapping[str, str]) -> None:
    if job.precision in known:
        return
    reasons = dict(missing)
    if job.device_kind == "cpu":
        reasons["tf32"] = TF32_ON_CPU
    names = ", ".join(sorted(known))
    unknown = f"{job.adapter} knows no {job.precision} on {job.device_kind}; supported: {names}"
    raise Unsupported(reasons.get(job.precision, unknown))


def known_value(name: str, options: Mapping[str, Any], known: Collection[str]) -> None:
    """Raise events.Unsupported where an option is none of the values that it may have."""
    if options[name] not in known:
        raise Unsupported(f"option {name} is {options[name]!r}; it must be {' or '.join(known)}")


def new_enough(job: Job, capability: Tuple[int, int]) -> None:
    """Raise events.Unsupported where a GPU of this compute capability is older than a precision.

    Frameworks compute in float32 there, or in another type, and don't say so.
    """
    if job.precision in SINCE_AMPERE and capability < AMPERE:
        has = "compute capability {}.{}".format(*capability)
        raise Unsupported(
            f"{job.precision} is for NVIDIA GPUs from Ampere (8.0) on; this has {has}"
        )


def enough_gpus(job: Job, found: int) -> None:
    """Raise events.Unsupported where a framework finds fewer GPUs than a job has on each node."""
    count = job.node_device_count
    if devices.gpu_kind(job.device) and found < count:
        gpus = f"{found or 'no'} GPU{'s' if found > 1 else ''}"
        raise Unsupported(f"{job.adapter} finds {gpus}, where {job.device} asks for {count}")


def _known(what: str, asked: Iterable[str], known: Collection[str]) -> None:
    for name in asked:
        if name not in known:
            names = ", ".join(sorted(known)) or "none"
            raise Unsupported(f"{what} {name} is not supported; supported: {names}")
