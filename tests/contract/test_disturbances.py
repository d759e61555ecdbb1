"""The list of disturbances, the limits that a study can set, and the documents say the same."""

from pathlib import Path

from trainmark.machine.disturbances import DISTURBANCES, Limits
from trainmark.study.config import schemas

PAGE = Path(__file__).parents[2] / "docs" / "method" / "noise.md"
LIMITS = schemas.load("config")["$defs"]["limits"]["properties"]


def test_a_disturbance_with_a_unit_has_a_limit_that_a_study_can_set():
    names = {each.name for each in DISTURBANCES if each.unit}
    assert names == {*Limits._fields} == {*LIMITS}


def test_the_key_of_the_limits_names_each():
    machine = schemas.load("config")["$defs"]["machine"]["properties"]
    for name in LIMITS:
        assert f"`{name}`" in machine["limits"]["description"]


def test_the_page_on_noise_has_a_row_for_each():
    rows = [
        f"| {each.meaning} | `{each.name}` | {LIMITS[each.name]['default']} {each.unit} |"
        if each.unit
        else f"| {each.meaning} | | any |"
        for each in DISTURBANCES
    ]
    assert "\n".join(rows) in PAGE.read_text(encoding="utf-8")
