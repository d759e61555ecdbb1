"""What a job asks for, held against what an adapter can do."""

from worker.events import Unsupported


def check(job, devices, precisions, options):
    """Return the job's options, completed by the adapter's own `options`: {name: default}.

    Raises events.Unsupported, naming what there is, for a device, a precision or an option that is
    not among the adapter's.
    """
    _known("device", [job["device"]], devices)
    _known("precision", [job["precision"]], precisions)
    _known("option", sorted(job["options"]), options)
    for name, value in job["options"].items():
        if type(value) is not type(options[name]):
            raise Unsupported(f"option {name} is {value!r}, it is to be like {options[name]!r}")
    return dict(options, **job["options"])


def _known(what, asked, known):
    for name in asked:
        if name not in known:
            names = ", ".join(sorted(known)) or "none"
            raise Unsupported(f"there is no {what} {name} here; there is: {names}")
