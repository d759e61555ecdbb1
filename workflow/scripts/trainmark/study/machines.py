"""The machines that a study names: their devices, resources and settings."""

from collections.abc import Mapping
from typing import Any

from trainmark.study.axes import HOST_DEFAULTS
from trainmark.study.config.errors import StudyError

NOT_SETTINGS = ("devices", "resources", "queued")
"""Keys of a machine with a name that `machine`, the settings of all machines, does not have."""


def check(config: Mapping[str, Any]) -> None:
    """Check that machines have only devices of the study, and each of its devices is on one.

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


def has(config: Mapping[str, Any], run: Mapping[str, Any]) -> bool:
    """Whether a run's machine has its device; `run` has its settings."""
    return _has(_entry(config, run) or {}, run["device"])


def settings(config: Mapping[str, Any], run: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a run's machine: those of all in a complete study, and its own changes."""
    entry = _entry(config, run) or {}
    return {**config["machine"], **{key: entry[key] for key in entry if key not in NOT_SETTINGS}}


def resources(config: Mapping[str, Any], run: Mapping[str, Any]) -> dict[str, Any]:
    """The resources by which an executor finds a run's machine, and queues a run for it.

    The queue of a machine without a name is bounded by profiles, as the resource `runs`.
    """
    entry = _entry(config, run)
    if entry is None:
        return {"runs": 1}
    return {**entry["resources"], queue(run["machine_name"]): 1}


def queue(name: str) -> str:
    """The resource that bounds how many runs of a machine an executor has at a time.

    The target that is all of them has the same name.
    """
    return f"on_{name}"


def _entry(config: Mapping[str, Any], run: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The entry of a run's machine; None where the study doesn't name it."""
    name = {**HOST_DEFAULTS, **run}["machine_name"]
    entry: Mapping[str, Any] | None = config["machines"].get(name)
    return entry


def _has(machine: Mapping[str, Any], device: str) -> bool:
    return device in machine.get("devices", [device])
