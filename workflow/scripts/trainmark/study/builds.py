"""The build of an environment that a run uses: for GPUs, where a framework has two."""

from pathlib import Path

from worker import devices

FOR_GPUS = "-cuda"


def plain(environment: str) -> str:
    """The name of the environment that this one is the build for GPUs of, or is itself."""
    return environment.removesuffix(FOR_GPUS)


def is_for_gpus(environment: str) -> bool:
    """Whether an environment is a build for GPUs."""
    return environment.endswith(FOR_GPUS)


def for_device(device: str, environment: str, environments: Path) -> str:
    """The name of the environment on a device; `environments` is the folder of their files."""
    kind, _ = devices.parts(device)
    build = environment + FOR_GPUS
    has_build = (environments / f"{build}.yaml").is_file()
    return build if kind == "cuda" and has_build else environment
