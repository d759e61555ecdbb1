"""What a job asks for, checked against what an adapter supports."""

from typing import Any, Collection, Dict, Iterable

from worker.events import Unsupported
from worker.job import Job


def check(
    job: Job,
    kinds: Collection[str],
    precisions: Collection[str],
    options: Dict[str, Any],
    several: Collection[str] = (),
) -> Dict[str, Any]:
    """Return the job's options, completed by the adapter's own `options`: {name: default}.

    `kinds` are those of devices that the adapter trains on, `several` those of which it takes more
    than one. Raises events.Unsupported, naming what there is, for a device, a precision or an
    option that is not among the adapter's.
    """
    kind, count = job.device_kind, job.device_count
    _known("device", [kind], kinds)
    if count > 1 and kind not in several:
        raise Unsupported(f"{job.device}: {job.adapter} trains on one device")
    _known("precision", [job.precision], precisions)
    _known("option", sorted(job.options), options)
    for name, value in job.options.items():
        if type(value) is not type(options[name]):
            default = options[name]
            wanted = f"a {type(default).__name__}, as {default!r} is"
            raise Unsupported(f"option {name} is {value!r}; it must be {wanted}")
    return dict(options, **job.options)


def enough_gpus(job: Job, found: int) -> None:
    """Raise events.Unsupported where a framework finds fewer GPUs than the job asks for."""
    kind, count = job.device_kind, job.device_count
    if kind == "cuda" and found < count:
        gpus = f"{found or 'no'} GPU{'s' if found > 1 else ''}"
        raise Unsupported(f"{job.adapter} finds {gpus}, where {job.device} asks for {count}")


def _known(what: str, asked: Iterable[str], known: Collection[str]) -> None:
    for name in asked:
        if name not in known:
            names = ", ".join(sorted(known)) or "none"
            raise Unsupported(f"{what} {name} is not supported; supported: {names}")
