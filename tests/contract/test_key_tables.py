"""The documents say of each key what the schema says."""

from pathlib import Path

from trainmark.study.config import against_schema, key_tables, schemas

DOCUMENTS = sorted((Path(__file__).parents[2] / "docs").glob("*/*.md"))


def test_the_tables_of_keys_are_those_of_the_schema():
    texts = [path.read_text(encoding="utf-8") for path in DOCUMENTS]
    assert sum(len(key_tables.TABLE.findall(text)) for text in texts) == 6
    assert [key_tables.with_new_tables(text) for text in texts] == texts, "call `make docs`"


def test_every_key_has_a_description():
    schema = schemas.load("config")
    for part in (schema, schema["$defs"]["case"], schema["$defs"]["machine"]):
        assert all(rule["description"] for rule in part["properties"].values())


def test_a_default_is_a_value_that_the_schema_allows():
    required = {"study": "s", "protocol": 1, "repeats": 1, "seed": 1, "frameworks": ["numpy"]}
    case = {"network": "lenet", "dataset": "digits", "batch_size": 1, "steps": 1}
    study = {**required, "cases": {"case": {**case, "learning_rate": 0.1}}}
    complete = schemas.complete(study)
    assert complete["cases"]["case"]["warmup_limit_seconds"] == 10
    assert complete["machine"]["limits"]["steal"] == 0.05
    against_schema.check(complete)
