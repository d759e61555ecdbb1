"""The list of disturbances, the limits that a study can set, and what the schema says of them."""

from trainmark.machine.disturbances import DISTURBANCES, Limits
from trainmark.study.config import schemas

LIMITED = [each for each in DISTURBANCES if each.unit]
UNLIMITED = [each for each in DISTURBANCES if not each.unit]


def test_a_disturbance_with_a_unit_has_a_limit_that_a_study_can_set():
    names = {each.name for each in LIMITED}
    assert names == {*Limits._fields}
    assert names == {*schemas.load("config")["$defs"]["limits"]["properties"]}


def test_the_schema_describes_each():
    text = schemas.load("config")["$defs"]["machine"]["properties"]["limits"]["description"]
    for each in LIMITED:
        assert f"`{each.name}` ({each.meaning})" in text
    for each in UNLIMITED:
        assert each.meaning in text.partition("Any of these counts: ")[2]
