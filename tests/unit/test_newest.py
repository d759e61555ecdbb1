"""The newest release of a framework, added to the table of its releases."""

from datetime import UTC, datetime
from types import SimpleNamespace

import pytest

from trainmark.environments import newest
from trainmark.environments.locks import CannotResolve
from trainmark.study import releases

TABLE = """\
package: jax[cpu]
releases:
  0.11.0: {released: 2026-08-01, python: "3.12"}
"""
OF_SOURCE_ALONE = """\
[[packages]]
name = "jax"
version = "0.12.0"
sdist = {url = "https://example.org/jax-0.12.0.tar.gz", upload-time = 2026-10-21T08:00:00Z}
"""


@pytest.fixture
def table(tmp_path, monkeypatch):
    """A table of one release, and the list of tables that were locked."""
    monkeypatch.setattr(newest, "lock_releases", lambda table: None)
    path = tmp_path / "jax.yaml"
    path.write_text(TABLE)
    return path


def offer(monkeypatch, version, *days):
    answer = (version, [datetime.fromisoformat(day) for day in days])
    monkeypatch.setattr(newest, "find", lambda package, python: answer)


def test_a_newer_release_gets_a_line_with_the_day_of_its_first_file(table, monkeypatch):
    offer(monkeypatch, "0.12.0", "2026-10-22", "2026-10-21")
    newest.add(table)
    added = releases.read(table)["jax-0.12.0"]
    assert (str(added.released), added.python) == ("2026-10-21", "3.12")
    assert added.requirements == ("jax[cpu]===0.12.0",)


def test_a_release_without_wheels_is_of_the_day_of_its_source(monkeypatch):
    answer = SimpleNamespace(returncode=0, stdout=OF_SOURCE_ALONE)
    monkeypatch.setattr(newest, "uv", lambda *arguments, stdin: answer)
    assert newest.find("jax", "3.12") == ("0.12.0", [datetime(2026, 10, 21, 8, tzinfo=UTC)])


def test_a_table_with_the_newest_release_stays(table, monkeypatch):
    offer(monkeypatch, "0.11.0")
    newest.add(table)
    assert table.read_text() == TABLE


def test_a_release_of_an_unknown_day_is_refused(table, monkeypatch):
    offer(monkeypatch, "0.12.0")
    with pytest.raises(CannotResolve, match="doesn't say its day"):
        newest.add(table)


def test_a_release_that_cannot_be_locked_is_not_added(table, monkeypatch):
    def refuse(table):
        raise CannotResolve("no jaxlib")

    monkeypatch.setattr(newest, "lock_releases", refuse)
    offer(monkeypatch, "0.12.0", "2026-10-22")
    with pytest.raises(CannotResolve, match="no jaxlib"):
        newest.add(table)
    assert table.read_text() == TABLE
    assert list(releases.read(table)) == ["jax-0.11.0"]
