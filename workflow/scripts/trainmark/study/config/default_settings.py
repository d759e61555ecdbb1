"""What no schema can say of the default settings that a study names (`default_of`)."""

from collections.abc import Mapping
from typing import Any

from trainmark.study import datasets
from trainmark.study.config.errors import StudyError

FREE = ("seed", "frameworks")
"""In what cases of one setting may differ."""


def check(cases: Mapping[str, Mapping[str, Any]]) -> None:
    """Cases of one setting, whose runs are taken together, are alike but for their seeds."""
    first: dict[tuple[str, str, str], str] = {}
    for name, settings in cases.items():
        if "default_of" not in settings:
            continue
        owner, network = settings["default_of"], settings["network"]
        dataset = datasets.origin(settings["dataset"])
        other = first.setdefault((owner, network, dataset), name)
        if keys := _differing(settings, cases[other]):
            raise StudyError(
                f"cases.{name}: {owner}'s default of {network} on {dataset} is the case {other}, "
                f"which differs in {', '.join(keys)}; leave default_of out of one of them"
            )


def _differing(one: Mapping[str, Any], other: Mapping[str, Any]) -> list[str]:
    keys = sorted({*one, *other} - set(FREE))
    return [key for key in keys if one.get(key) != other.get(key)]
