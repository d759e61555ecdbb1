"""Builds of environments: one for processors, one for each kind of GPUs, one for each release."""

import re
from pathlib import Path

from worker import devices

RELEASE = re.compile(r"-\d+\.[\w.]+$")
"""The ending of the name of a release's environment."""


def gpu_kind(environment: str) -> str | None:
    """The kind of GPUs that an environment is the build for: "cuda" of "pytorch-cuda"."""
    return next((kind for kind in devices.GPUS if environment.endswith(f"-{kind}")), None)


def plain(environment: str) -> str:
    """The name of the environment that this one is a build or a release of, or is itself."""
    kind = gpu_kind(environment)
    return environment.removesuffix(f"-{kind}") if kind else RELEASE.sub("", environment)


def framework(environment: str) -> str:
    """The framework in the name of an environment: that of mxnet-cuda and of mxnet-mkl-1.2.0."""
    return environment.partition("-")[0]


def recipe(environment: str) -> str:
    """The name of the recipe that an environment has, if there is one."""
    return plain(environment) if release(environment) is None else framework(environment)


def release(environment: str) -> str | None:
    """The release that an environment is of, such as 2.9.1, or None."""
    ending = RELEASE.search(environment)
    return ending[0].removeprefix("-") if ending else None


def for_device(device: str, environment: str, environments: Path) -> str:
    """The name of the environment on a device; `environments` is the folder of their files."""
    kind = devices.gpu_kind(device)
    build = f"{environment}-{kind}"
    has_build = kind is not None and (environments / f"{build}.yaml").is_file()
    return build if has_build else environment
