"""Results of each format, of which an archive is kept: read, drawn, compared, put together."""

import pandas as pd
import pytest
from packed_study import check_values, unpack
from recorded import FORMATS
from reported_study import FROM_RECORDS, snakemake

from trainmark.analyse.sets import result_set
from trainmark.runs import formats

NUMBERS = range(1, formats.FORMAT + 1)
REPORTED = [1, *(pytest.param(each, marks=pytest.mark.whole) for each in NUMBERS[1:])]
"""Those of which a report is made, compared and put together: `make test` has the oldest."""
BESIDE = (*FROM_RECORDS, "--cores", "2", "--allowed-rules", "comparison", "compare", "combined")
DRAWN = ("measurements.csv", "tables/latency.csv", "figures/step_times/step_times.svg")
RUNS, MEASURED = 24, 16


@pytest.fixture(scope="module", params=REPORTED)
def archive(request):
    return FORMATS / f"{request.param}.zip"


@pytest.fixture(scope="module")
def results(archive, tmp_path_factory):
    """A folder with the runs of an archive, reported by this version."""
    folder = tmp_path_factory.mktemp("study")
    unpacked = unpack(archive, folder)
    targets = (f"results/recorded/{name}" for name in DRAWN)
    snakemake(folder, "--cores", "2", *FROM_RECORDS, "--", *targets)
    return unpacked


@pytest.mark.parametrize("number", NUMBERS)
def test_it_is_read_and_says_which_format_it_is(number):
    results = result_set.read(FORMATS / f"{number}.zip")
    assert {record["format"] for record in results.records} == {number}
    assert set(results.measurements["format"]) == {number}
    assert len(results.records) == RUNS


def test_its_runs_are_drawn_with_the_values_that_they_had(archive, results):
    assert all((results / name).stat().st_size for name in DRAWN)
    before, after = (result_set.read(path) for path in (archive, results / "measurements.csv"))
    check_values(before.measurements, after.measurements)


def test_it_is_a_baseline(archive, results):
    done = snakemake(
        results.parents[1], *BESIDE, "--config", f"baseline={archive}", "--", "compare"
    )
    compared = pd.read_csv(results / "comparison" / "comparison.csv")
    assert set(compared["verdict"]) == {"not distinguishable", "unsupported"}
    assert done.stdout.count("not distinguishable") == sum(compared["n"] > 0)


def test_it_is_put_together_with_results_of_this_version(archive, results):
    snakemake(results.parents[1], *BESIDE, "--config", f"others=[{archive}]", "--", "combine")
    notes = (results / "combined" / "sources.md").read_text()
    assert notes.count(f"{RUNS} runs") == 2
    assert f"{MEASURED} of {MEASURED} values known from an earlier source" in notes
