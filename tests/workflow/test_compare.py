"""Results beside others, by the workflow's own rules: compared, put together, packed."""

import re
import shutil
import zipfile
from pathlib import Path

import pandas as pd
import pytest
from reported_study import reported, snakemake

COMPARING = ("comparison", "compare", "combined", "combine", "published_set")


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    return reported(tmp_path_factory.mktemp("study"), "measurements.csv")


@pytest.fixture
def baseline(results, tmp_path):
    """The results with a PyTorch that was half as fast again."""
    folder = tmp_path / "earlier"
    shutil.copytree(results, folder)
    table = pd.read_csv(folder / "measurements.csv")
    chosen = (table["framework"] == "pytorch") & (table["metric"] == "training_speed")
    table.loc[chosen, "value"] *= 1.5
    table.to_csv(folder / "measurements.csv", index=False)
    return folder


def compare(results, baseline, *, returncode):
    options = ("--cores", "1", "--allowed-rules", *COMPARING, "--config", f"baseline={baseline}")
    return snakemake(results.parents[1], *options, "--", "compare", returncode=returncode)


def combine(results, others, *, returncode=0):
    options = ("--cores", "1", "--allowed-rules", *COMPARING, "--config", f"others=[{others}]")
    return snakemake(results.parents[1], *options, "--", "combine", returncode=returncode)


def test_a_study_compared_with_itself_has_no_changes(results):
    printed = compare(results, results, returncode=0).stdout
    assert "not distinguishable" in printed
    assert printed.splitlines()[-1] == "Table, figure and page: results/recorded/comparison/"
    page = (results / "comparison" / "report.html").read_text(encoding="utf-8")
    assert " configurations: " in page
    assert page.count('class="drawing"') == 1


def test_what_became_slower_ends_the_comparison_with_an_error(results, baseline):
    done = compare(results, baseline, returncode=1)
    assert "recorded: lenet-digits, PyTorch: at least" in done.stderr
    assert (results / "comparison" / "comparison.svg").exists()
    assert "CalledProcessError" not in done.stderr
    assert "WorkflowError" not in done.stderr


def test_another_content_of_the_baseline_is_another_comparison(results, baseline):
    compare(results, baseline, returncode=1)
    shutil.copy(results / "measurements.csv", baseline / "measurements.csv")
    compare(results, baseline, returncode=0)


def test_published_values_are_a_baseline_that_distinguishes_nothing(results):
    """They have no spread, so that nothing is significantly slower."""
    printed = compare(results, "published:thesis/p100", returncode=0).stdout
    assert "Table, figure and page: results/recorded/comparison/" in printed
    values = results.parent / "published" / "thesis" / "p100" / "measurements.csv"
    assert set(pd.read_csv(values)["machine"]) == {"NVIDIA Tesla P100", "2 x NVIDIA Tesla P100"}


def test_a_baseline_is_one_published_machine(results):
    several = compare(results, "published:thesis", returncode=1).stderr
    assert "has several result sets; add / and one of e5-2620, e5-2630, k20m, p100" in several
    unknown = compare(results, "published:thesis/h100", returncode=1).stderr
    assert "baseline: unknown result set of thesis 'h100' (did you mean p100?)" in unknown
    study = compare(results, "published:mlperf", returncode=1).stderr
    assert "unknown published study 'mlperf'; known: gtdlbench, latency, thesis" in study


def test_a_baseline_that_is_none_is_reported_before_anything_else(results, tmp_path):
    done = compare(results, tmp_path, returncode=1)
    assert "holds no measurements.csv; give the folder of a study's results" in done.stderr
    assert "Execute" not in done.stderr


def test_a_baseline_with_other_content_is_reported_before_anything_else(results, tmp_path):
    (tmp_path / "measurements.csv").write_text("a,b\n1,2\n")
    done = compare(results, tmp_path, returncode=1)
    assert (
        f"{tmp_path}: its measurements.csv is no table of format 1: it lacks study" in done.stderr
    )
    assert "Execute" not in done.stderr


def test_the_archive_that_a_study_is_packed_into_is_no_baseline_of_it(results):
    done = compare(results, "results/recorded/recorded.zip", returncode=1)
    assert "is packed anew whenever the study is measured; give a copy" in done.stderr
    assert "Execute" not in done.stderr


def test_another_source_of_the_same_hardware_is_reported_with_its_spread(results, baseline):
    done = combine(results, baseline)
    assert "2 sources)" in done.stdout
    assert f"Source 2: {baseline}; " in done.stdout
    sources = pd.read_csv(results / "combined" / "sources.csv")
    assert set(sources["framework"]) == {"pytorch"}  # the others' runs are the same ones
    assert sources["ratio"].dropna().unique() == pytest.approx(1.5)


def pack(folder):
    """The archive of the recorded study in a folder, and what was said of it."""
    options = ("--cores", "1", "--allowed-rules", "archive", "pack", "--", "pack")
    done = snakemake(folder, *options)
    return folder / "results" / "recorded" / "recorded.zip", done.stdout


@pytest.fixture
def archive(results, baseline, tmp_path):
    """What a colleague packed, where PyTorch was half as fast again."""
    colleague = tmp_path / "colleague"
    shutil.copytree(results.parents[1], colleague)
    shutil.copy(baseline / "measurements.csv", colleague / "results" / "recorded")
    packed, output = pack(colleague)
    assert re.search(r"recorded\.zip: 24 runs, [\d,]+ bytes, SHA-256 [0-9a-f]{64}", output)
    return packed.rename(tmp_path / "colleague.zip")


def test_an_archive_replaces_a_folder(results, archive):
    done = combine(results, archive)
    output = " ".join(done.stdout.split())  # a long path is told over several lines
    assert f"Source 2: {archive}; " in output
    sources = pd.read_csv(results / "combined" / "sources.csv")
    assert sources["ratio"].dropna().unique() == pytest.approx(1.5)
    done = compare(results, archive, returncode=1)
    assert "recorded: lenet-digits, PyTorch: at least" in done.stderr


def test_an_archive_has_all_that_a_run_left(archive):
    with zipfile.ZipFile(archive) as packed:
        paths = [Path(name) for name in packed.namelist()]
    (record,) = [path for path in paths if path.match("lenet-digits/jax/*/*/*/r1/run.json")]
    left = ["run.json", "telemetry.csv", "worker.log"]
    assert sorted(path.name for path in paths if path.parent == record.parent) == left


def test_the_same_results_are_packed_into_the_same_archive(results, archive, tmp_path):
    again = tmp_path / "again"
    shutil.copytree(tmp_path / "colleague", again)
    packed, _ = pack(again)
    assert packed.read_bytes() == archive.read_bytes()


def test_a_damaged_archive_is_refused_before_anything_else(results, archive):
    archive.write_bytes(archive.read_bytes()[:-100])
    done = combine(results, archive, returncode=1)
    assert f"{archive} is no archive of results as `pack` makes it: it is cut off" in done.stderr
    assert "Traceback" not in done.stderr
    assert "Execute" not in done.stderr
