"""The profiles say what profiles/default says, but for what is a cluster's own."""

from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
OWN = {"__use_yte__", "__definitions__", "cores"}
"""What profiles/default says of this machine; `cores` would be the login node's on every node."""


def profile(name):
    return yaml.safe_load((ROOT / "profiles" / name / "config.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", ["slurm", "ssh"])
def test_the_profiles_check_the_command_line_alike(name):
    assert profile(name)["__definitions__"] == profile("default")["__definitions__"]


@pytest.mark.parametrize("name", ["slurm", "ssh"])
def test_a_profile_for_clusters_has_all_of_the_default_one_but_its_cores(name):
    common = {key: value for key, value in profile("default").items() if key not in OWN}
    settings = profile(name)
    assert {key: settings.get(key) for key in common} == common
    assert "cores" not in settings
