"""Builds of environments: many frameworks have one for processors and one for each kind of GPUs."""

from pathlib import Path

from worker import devices


def gpu_kind(environment: str) -> str | None:
    """The kind of GPUs that an environment is the build for: "cuda" of "pytorch-cuda"."""
    return next((kind for kind in devices.GPUS if environment.endswith(f"-{kind}")), None)


def plain(environment: str) -> str:
    """The name of the environment that this one is the build for GPUs of, or is itself."""
    kind = gpu_kind(environment)
    return environment.removesuffix(f"-{kind}") if kind else environment


def for_device(device: str, environment: str, environments: Path) -> str:
    """The name of the environment on a device; `environments` is the folder of their files."""
    kind = devices.gpu_kind(device)
    build = f"{environment}-{kind}"
    has_build = kind is not None and (environments / f"{build}.yaml").is_file()
    return build if has_build else environment
