"""The machines that a study names: what each has, and what is said of it alone.

A point here is all that has a machine's name, such as the settings of a run.
"""

from collections.abc import Mapping
from typing import Any

from trainmark.study.axes import UNSEEN
from trainmark.study.config.errors import StudyError

OWN = ("devices", "resources", "queued")
"""What is said of a machine with a name; all else stands in place of what is said of all."""


def check(config: Mapping[str, Any]) -> None:
    """Machines have devices that a complete study asks for, and each of these is on some machine.

    Raises StudyError.
    """
    machines, requested = config["machines"], config["devices"]
    for name, machine in machines.items():
        for device in machine.get("devices", []):
            if device not in requested:
                raise StudyError(
                    f"machines.{name}.devices: {device} is no device of the study; they are "
                    f"{', '.join(requested)}"
                )
    for device in requested:
        if machines and not any(_has(machine, device) for machine in machines.values()):
            raise StudyError(f"devices: {device} is on none of the study's machines")


def has(config: Mapping[str, Any], point: Mapping[str, Any]) -> bool:
    """Whether the machine of a point has its device."""
    return _has(_entry(config, point) or {}, point["device"])


def settings(config: Mapping[str, Any], point: Mapping[str, Any]) -> dict[str, Any]:
    """What a complete study says of the machine of a point: its own before what is said of all."""
    own = _entry(config, point) or {}
    return {**config["machine"], **{key: own[key] for key in own if key not in OWN}}


def resources(config: Mapping[str, Any], point: Mapping[str, Any]) -> dict[str, Any]:
    """How an executor finds the machine of a point, and the place that a run takes in its queue.

    The queue of a machine without a name is bounded by profiles, as the resource `runs`.
    """
    own = _entry(config, point)
    return {"runs": 1} if own is None else {**own["resources"], queue(point["machine_name"]): 1}


def queue(name: str) -> str:
    """The resource that bounds how many runs of a machine an executor has at a time.

    The target that is all of them has the same name.
    """
    return f"on_{name}"


def _entry(config: Mapping[str, Any], point: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """What is said of the machine of a point alone; None where the study doesn't name it."""
    found: Mapping[str, Any] | None = config["machines"].get({**UNSEEN, **point}["machine_name"])
    return found


def _has(machine: Mapping[str, Any], device: str) -> bool:
    return device in machine.get("devices", [device])
