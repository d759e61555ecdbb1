"""The oldest releases: built from their locks, proven and measured, by Snakemake."""

import json

import pandas as pd
import pytest
from small_checkout import CASE, MEASUREMENTS, STUDY, Checkout

OLDEST = [
    {"framework": "mxnet", "releases": ["1.0.0"]},
    {"framework": "tensorflow", "releases": ["1.4.0"]},
]
ANOTHER = '  9.9.9: {released: 2030-01-01, python: "3.8", unavailable: it is an example}\n'


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    checkout = Checkout(tmp_path_factory.mktemp("releases"))
    study = {**STUDY, "frameworks": OLDEST, "cases": {"first": CASE}, "tables": ["releases"]}
    checkout.write(study)
    yield checkout
    checkout.kill()


@pytest.fixture(scope="module")
def measured(checkout):
    checkout.snakemake("results/tiny/tables/releases.txt")
    for path in (checkout.folder / "results/environments").glob("*.json"):
        lock = json.loads(path.read_text())
        if lock["status"] != "available":
            pytest.skip(f"needs {lock['environment']}: {lock['reason']}")  # such as Python 3.6
    return pd.read_csv(checkout.folder / MEASUREMENTS)


def test_the_oldest_releases_do_the_work_of_the_reference(measured):
    outcomes = measured.drop_duplicates("framework").set_index("framework")
    assert dict(outcomes["status"]) == {"mxnet-1.0.0": "ok", "tensorflow-1.4.0": "ok"}
    assert dict(outcomes["adapter"]) == {"mxnet-1.0.0": "mxnet", "tensorflow-1.4.0": "tensorflow1"}
    errors = measured[measured["metric"] == "parity_error"].set_index("framework")["value"]
    assert (errors < 1e-3).all()


@pytest.mark.usefixtures("measured")
def test_the_table_has_the_days_of_the_releases(checkout):
    text = (checkout.folder / "results/tiny/tables/releases.txt").read_text()
    assert "1.4.0" in text
    assert "2017-11-01" in text


@pytest.mark.usefixtures("measured")
def test_another_release_in_the_table_builds_and_measures_nothing_again(checkout):
    built = checkout.folder / "results/environments/mxnet-1.0.0.json"
    before = built.stat().st_mtime_ns
    with (checkout.folder / "envs/releases/mxnet.yaml").open("a") as table:
        table.write(ANOTHER)
    _, trained = checkout.snakemake()
    assert not trained
    assert built.stat().st_mtime_ns == before
