"""Releases as frameworks of a study, and each compared with the one before it."""

import pandas as pd
import pytest
from small_study import ENVIRONMENTS, case, make

from trainmark.analyse.compare.by_release import by_release
from trainmark.report.figures import releases as figure
from trainmark.report.tables import releases as table
from trainmark.report.words.writers import table_of
from trainmark.study import builds, releases
from trainmark.study.config.errors import StudyError

TABLES = sorted((ENVIRONMENTS / releases.FOLDER).glob("*.yaml"))


def settings(framework):
    runs = make(frameworks=[framework], repeats=1).runs.values()
    keys = ("framework", "adapter", "environment")
    return [tuple(run.settings[key] for key in keys) for run in runs]


def test_each_release_is_a_framework_the_oldest_first():
    assert settings({"framework": "tensorflow", "releases": ["2.9.1", "1.4.0"]}) == [
        ("tensorflow-1.4.0", "tensorflow1", "tensorflow-1.4.0"),
        ("tensorflow-2.9.1", "tensorflow", "tensorflow-2.9.1"),
    ]


def test_another_adapter_trains_the_same_release():
    assert settings({"framework": "tensorflow1", "releases": ["2.9.1"]}) == [
        ("tensorflow1-2.9.1", "tensorflow1", "tensorflow-2.9.1")
    ]


def test_another_package_has_a_table_of_its_own():
    wanted = {"framework": "mxnet-mkl", "adapter": "mxnet", "environment": "mxnet-mkl"}
    assert settings({**wanted, "releases": ["1.6.0"]}) == [
        ("mxnet-mkl-1.6.0", "mxnet", "mxnet-mkl-1.6.0")
    ]


def test_all_releases_are_those_of_the_table():
    wanted = releases.read(releases.path("jax", ENVIRONMENTS))
    assert [row[0] for row in settings({"framework": "jax", "releases": "all"})] == list(wanted)


def test_each_release_counts_as_a_framework():
    cases = {f"case-{number}": case()["lenet-digits"] for number in range(60)}
    two = {"framework": "jax", "releases": ["0.4.13", "0.5.3"]}
    with pytest.raises(StudyError, match=r"120,000 runs, .* in 2 frameworks on all axes"):
        make(frameworks=[two], cases=cases, repeats=1000)


@pytest.mark.parametrize(
    ("framework", "message"),
    [
        (
            {"framework": "jax", "releases": ["0.4.99"]},
            "frameworks: jax: unknown release '0.4.99'",
        ),
        ({"framework": "openvino", "releases": "all"}, "frameworks: openvino has no table in"),
        ({"framework": "cntk", "releases": [2.7]}, 'a release, a text such as "2.10"'),
        ({"framework": "jax", "releases": []}, "frameworks"),
    ],
)
def test_a_release_that_does_not_exist_is_refused_in_one_line(framework, message):
    with pytest.raises(StudyError) as refused:
        make(frameworks=[framework])
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


def test_the_names_of_environments_tell_framework_and_release():
    for name, parts in {
        "mxnet-mkl-1.6.0": ("mxnet-mkl", "1.6.0", "mxnet"),
        "jax-0.12.0.1": ("jax", "0.12.0.1", "jax"),
        "jax-cuda": ("jax", None, "jax"),
    }.items():
        assert (builds.plain(name), builds.release(name), builds.framework(name)) == parts


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.stem)
def test_each_release_has_a_lock(path):
    for release in releases.read(path).values():
        lock = path.with_name(f"{release.environment}.lock")
        if release.unavailable is None:
            assert f"\n# {release.conditions}\n" in lock.read_text(encoding="utf-8"), lock
        else:
            assert not lock.exists()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "package: jax\nreleases: {0.4.13: {released: 2023-06-23}}",
            "releases.0.4.13: 'python' is a required property",
        ),
        (
            "package: jax\nreleases: {0.4.13: {released: soon, python: 3.9}}",
            "'soon' is not a day such as",
        ),
        ("package: jax\nreleases: {0.4.13: {released: 2023-06-31, python: 3.9}}", "day is out of"),
        ("package: jax\nreleases: {2023: {released: 2023-06-23, python: 3.9}}", "number of a rel"),
        (
            "package: jax\nreleases: {0.4: {released: 2023-06-23, python: 3.9, as: x}}",
            "unknown key 'as'",
        ),
        ("package: jax", "'releases' is a required property"),
        ("", "is not a mapping with package and releases"),
        ("package: [", "while parsing"),
    ],
)
def test_a_table_that_cannot_be_read_is_named_in_one_line(tmp_path, text, message):
    table = tmp_path / "jax.yaml"
    table.write_text(text)
    with pytest.raises(StudyError) as refused:
        releases.read(table)
    assert str(refused.value).startswith(f"{table} is no table of releases: ")
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_release_that_is_twice_in_a_table_is_refused_in_one_line(tmp_path):
    table, entry = tmp_path / "jax.yaml", "{released: 2023-06-23, python: 3.9}"
    table.write_text(f"package: jax\nreleases:\n  0.4.13: {entry}\n  0.4.13: {entry}\n")
    with pytest.raises(StudyError, match=r"0\.4\.13 entered twice, in line 3 and in line 4"):
        releases.read(table)


def test_a_release_without_a_lock_is_told_before_it_is_built(tmp_path):
    (tmp_path / releases.FOLDER).mkdir()
    table = releases.path("jax", tmp_path)
    table.write_text("package: jax\nreleases: {0.4.13: {released: 2023-06-23, python: 3.9}}")
    with pytest.raises(StudyError, match=r"jax-0\.4\.13 has no lock: run `make lock-releases`"):
        releases.requested({"framework": "jax", "releases": "all"}, tmp_path)


@pytest.mark.parametrize(
    ("framework", "remedy"),
    [
        (
            {"framework": "mxnet-mkl", "adapter": "mxnet", "environment": "mxnet-mkl"},
            "adapter: mxnet, environment: mxnet-mkl",
        ),
        ({"framework": "jax"}, "adapter: jax, environment: jax"),
    ],
)
def test_what_a_release_entered_twice_may_be_named_is_the_same_release(framework, remedy):
    twice = [{**framework, "releases": numbers} for numbers in ("all", "newest")]
    with pytest.raises(StudyError) as refused:
        make(frameworks=twice)
    number = list(releases.read(releases.path(framework["framework"], ENVIRONMENTS)))[-1]
    number = builds.release(number)
    name = f"{framework['framework']}-again"
    assert f'{{framework: {name}, {remedy}, releases: ["{number}"]}}' in str(refused.value)


def test_numbers_in_a_table_are_texts(tmp_path):
    table = tmp_path / "cntk.yaml"
    entry = "{released: 2018-03-17, python: 3.10}"
    table.write_text(f"package: cntk\nreleases: {{2.10: {entry}}}")
    (release,) = releases.read(table).values()
    assert (release.number, release.python) == ("2.10", "3.10")


@pytest.fixture
def measured(recorded: pd.DataFrame) -> pd.DataFrame:
    """The recorded frameworks as if three of them were releases of TensorFlow."""
    names = {"mxnet": "1.4.0", "pytorch": "2.9.1", "jax": "2.21.0"}
    chosen = recorded[recorded["framework"].isin(names)]
    named = "tensorflow-" + chosen["framework"].map(names)
    return chosen.assign(framework=named, environment=named, adapter="tensorflow")


def test_each_release_is_compared_with_the_one_before_and_the_first(measured):
    rows = by_release(measured)
    rows = rows[rows["case"] == "lenet-digits"].set_index("release")
    assert list(rows.index) == ["1.4.0", "2.9.1", "2.21.0"]
    assert list(rows["than"][1:]) == ["1.4.0", "2.9.1"]
    assert list(rows["first"][1:]) == ["1.4.0", "1.4.0"]
    assert rows.loc["1.4.0", ["than", "ratio", "first_ratio"]].isna().all()
    product = rows.loc["2.9.1", "ratio"] * rows.loc["2.21.0", "ratio"]
    assert rows.loc["2.21.0", "first_ratio"] == pytest.approx(product)
    assert set(rows["series"]) == {"tensorflow"}


def test_releases_of_two_tables_are_not_compared(measured):
    is_mxnet = measured["framework"] == "tensorflow-1.4.0"
    mixed = measured.assign(
        framework=measured["framework"].where(~is_mxnet, "tensorflow-1.0.0"),
        environment=measured["environment"].where(~is_mxnet, "mxnet-1.0.0"),
    )
    table = by_release(mixed)
    assert set(table["series"]) == {"tensorflow"}
    assert "1.0.0" in set(table["release"])
    assert "1.0.0" not in set(table["than"])


def test_the_table_says_what_came_of_each_release(measured):
    numbers = table.make(measured)
    shown = table.show(numbers)
    assert list(shown["released"])[:3] == ["2017-11-01", "2022-05-23", "2026-03-06"]
    assert table.notes(numbers)


def test_a_study_without_releases_has_none_in_the_table(recorded):
    made = table_of(table, recorded)
    assert made.notes == [table.NONE]
    assert made.shown.empty


def test_the_figure_has_a_line_for_each_framework(measured):
    drawn = figure.draw(figure.data(measured), figure.TITLE)
    titles = [axes.get_title() for axes in drawn.axes]
    assert [title for title in titles if title.startswith("lenet")] == [
        "lenet-digits: Training speed",
        "lenet-digits: Compile time",
        "lenet-digits: Peak memory",
    ]
    assert set(figure.data(measured)["framework"]) == {"tensorflow"}
