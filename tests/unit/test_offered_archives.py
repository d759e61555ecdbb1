"""Archives with any content, whose digests fit: refused in words, or shown; never a traceback."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trainmark.analyse.sets import fit, kept, light
from trainmark.errors import TrainmarkError
from trainmark.files import sealed
from trainmark.packed import archive
from trainmark.report.page import archives

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda parts: st.lists(parts, max_size=2) | st.dictionaries(st.text(max_size=5), parts),
    max_leaves=4,
)
CELLS = (
    st.integers()
    | st.floats()
    | st.text(st.characters(codec="utf-8", exclude_characters='",'), max_size=9)
)
EXAMPLES = settings(max_examples=40, deadline=None, derandomize=True)


@pytest.fixture(scope="module")
def contents():
    """The files of a small archive that is fit."""
    path = min(kept.paths(), key=lambda path: path.stat().st_size)
    with archive.opened(path) as packed:
        return {name: packed.read(name) for name in packed.names}


@pytest.fixture(scope="module")
def show(contents, tmp_path_factory):
    """A function that checks an archive with one file replaced, and shows it if it is fit."""
    folder = tmp_path_factory.mktemp("offered")

    def check_and_show(name, content):
        for each, original in contents.items():
            (folder / each).write_bytes(content if each == name else original)
        offered = folder / "offered.zip"
        archive.pack({each: folder / each for each in contents}, {}, offered)
        try:
            faults = list(fit.faults(offered))
        except TrainmarkError:
            return
        if not faults:
            assert archives.page(*archives.read([offered]))

    return check_and_show


def places(value, place=()):
    """The places of all values in JSON, each as the keys that lead to it."""
    yield place
    parts = value.items() if isinstance(value, dict) else ()
    for key, part in [*parts, *(enumerate(value) if isinstance(value, list) else ())]:
        yield from places(part, (*place, key))


def replaced(line, place, value):
    """A line of JSON with another value in a place."""
    *parents, last = place
    content = json.loads(line)
    node = content
    for key in parents:
        node = node[key]
    node[last] = value
    return content


@pytest.mark.parametrize("name", [light.RECORDS, light.PROOFS])
@given(data=st.data())
@EXAMPLES
def test_any_value_in_a_record_or_a_proof(contents, show, name, data):
    lines = contents[name].splitlines()
    number = data.draw(st.integers(0, len(lines) - 1))
    place = data.draw(st.sampled_from([*places(json.loads(lines[number]))][1:]))
    changed = replaced(lines[number], place, data.draw(VALUES))
    changed = sealed(changed) if name == light.RECORDS and "digest" in changed else changed
    lines[number] = json.dumps(changed).encode()
    show(name, b"\n".join(lines) + b"\n")


@given(data=st.data())
@EXAMPLES
def test_any_cell_of_a_table(contents, show, data):
    name = data.draw(st.sampled_from(sorted(name for name in contents if name.endswith(".csv"))))
    rows = [line.split(b",") for line in contents[name].splitlines()]
    row = data.draw(st.sampled_from(rows))
    row[data.draw(st.integers(0, len(row) - 1))] = str(data.draw(CELLS)).encode()
    show(name, b"\n".join(map(b",".join, rows)) + b"\n")
