"""Several studies in one call: what they share, in which order they run, and what runs again."""

import html
import json
import re
import shlex
import subprocess
import sys

import pytest
import yaml
from small_checkout import CASE, STUDY, Checkout
from waiting import wait_for

FIRST = {**STUDY, "study": "before", "repeats": 2, "cases": {"first": CASE}}
SECOND = {**STUDY, "study": "after", "repeats": 2, "cases": {"first": {**CASE, "steps": 5}}}
SECOND["machine"] = {**STUDY["machine"], "timeout_seconds": 77}
SET = {"studies": {"before": ["before.yaml"], "after": ["after.yaml"]}}
TABLES = [f"results/{name}/measurements.csv" for name in SET["studies"]]
PAGE = "results/before/report.html"


class Studies:
    """A checkout with two studies and the set of both."""

    def __init__(self, folder):
        self.checkout = Checkout(folder)
        self.folder = folder
        self.write()

    def write(self, *, study_set=None, first=FIRST, second=SECOND):
        for name, content in (
            ("before", first),
            ("after", second),
            ("set", study_set or SET),
        ):
            (self.folder / f"{name}.yaml").write_text(
                yaml.safe_dump(content, sort_keys=False), encoding="utf-8"
            )

    def call(self, *targets, files=("set.yaml",), options=(), status=0):
        """Call snakemake; gives what it printed and the run.json that it made, in their order."""
        before = self.records()
        command = [sys.executable, "-m", "snakemake", *options, "--configfile", *files, "--"]
        done = subprocess.run(
            [*command, *targets], cwd=self.folder, capture_output=True, text=True, check=False
        )
        assert done.returncode == status, done.stdout + done.stderr
        made = {path: made for path, made in self.records().items() if made != before.get(path)}
        return done.stdout + done.stderr, sorted(made, key=made.__getitem__)

    def records(self):
        """When each run was finished, by study, framework and repeat."""
        paths = (self.folder / "results").glob("*/runs/**/run.json")
        return {_name(path.relative_to(self.folder)): path.stat().st_mtime_ns for path in paths}

    def contents(self):
        """The content of each run.json, which a run that is kept keeps, while its file is new."""
        return {
            path: path.read_text(encoding="utf-8")
            for path in (self.folder / "results").glob("*/runs/**/run.json")
        }


def _name(record):
    _, study, _, _, framework, *_, repeat, _ = record.parts
    return study, framework, repeat


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    """Both studies, measured in one call with the page of one."""
    studies = Studies(tmp_path_factory.mktemp("set"))
    _, studies.order = studies.call(*TABLES, PAGE)
    return studies


@pytest.fixture
def studies(measured):
    """Both, whose runs each test leaves measured; their files are put back for the next."""
    yield measured
    measured.write()


def test_a_study_is_measured_before_the_next_one_with_its_repeats_interleaved(studies):
    turns = [(study, repeat) for study, _, repeat in studies.order]
    assert turns == [
        (study, repeat) for study in SET["studies"] for repeat in ("r1", "r2") for _ in range(2)
    ]


def test_the_page_of_a_study_is_there_before_the_next_study_begins(studies):
    """A run begins with its job.json."""
    page = studies.folder / PAGE
    jobs = (studies.folder / "results/after/runs").rglob("job.json")
    assert page.stat().st_mtime_ns < min(job.stat().st_mtime_ns for job in jobs)


def test_each_run_goes_by_the_machine_settings_of_its_own_study(studies):
    jobs = {
        study: [
            json.loads(path.read_text(encoding="utf-8"))
            for path in (studies.folder / f"results/{study}/runs").rglob("job.json")
        ]
        for study in SET["studies"]
    }
    assert {job["timeout_seconds"] for job in jobs["after"]} == {77}
    assert 77 not in {job["timeout_seconds"] for job in jobs["before"]}


def test_a_set_and_its_single_studies_share_their_results(studies):
    for name in SET["studies"]:
        table = f"results/{name}/measurements.csv"
        printed, made = studies.call(table, files=[f"{name}.yaml"])
        assert "Nothing to be done" in printed
        assert not made
    assert "Nothing to be done" in studies.call(*TABLES, PAGE)[0]


def test_what_the_set_and_the_command_say_is_laid_over_each_study(studies):
    options = ("--dry-run", "--quiet", "host", "reason", "rules", "--config", "max_steps=3")
    printed, _ = studies.call(*TABLES, options=options)
    assert "8 runs to be measured" in printed
    studies.write(study_set={**SET, "repeats": 1})
    printed, _ = studies.call(*TABLES, options=("--dry-run", "--config", "max_steps=3"))
    assert "4 runs to be measured" in printed


def test_a_study_of_the_set_can_be_taken_back(studies):
    rest = {"studies": {"after": None}}
    (studies.folder / "less.yaml").write_text(yaml.safe_dump(rest), encoding="utf-8")
    options = ("--dry-run", "--config", "max_steps=3")
    printed, _ = studies.call("all", files=["set.yaml", "less.yaml"], options=options)
    assert "4 runs to be measured" in printed


def test_the_other_targets_are_those_of_all_studies(studies):
    printed, _ = studies.call("pack")
    assert "results/before/before.zip: 4 runs" in printed
    assert "results/after/after.zip: 4 runs" in printed
    earlier = studies.folder / "earlier"
    earlier.mkdir()
    for name in SET["studies"]:
        (studies.folder / f"results/{name}/{name}.zip").rename(earlier / f"{name}.zip")
    printed, _ = studies.call("compare", options=("--config", "baseline=earlier"))
    assert "results/before/comparison/" in printed
    assert "results/after/comparison/" in printed


def test_a_set_that_was_killed_goes_on_where_it_was(tmp_path):
    studies = Studies(tmp_path)
    command = [sys.executable, "-m", "snakemake", "--configfile", "set.yaml", "--", *TABLES]
    snakemake = subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        wait_for(lambda: ("after", "numpy", "r1") in studies.records())
    finally:
        snakemake.kill()
        snakemake.wait()
        studies.checkout.kill()
    finished = studies.contents()
    assert 4 < len(finished) < 8
    studies.call(*TABLES)
    assert finished.items() <= studies.contents().items()
    assert len(studies.contents()) == 8


def test_a_bad_set_is_one_line(studies):
    studies.write(study_set={"studies": {"before": ["absent.yaml"]}})
    printed, made = studies.call("all", options=("--dry-run",), status=1)
    (line,) = [line for line in printed.splitlines() if line.startswith("trainmark: ")]
    assert "studies.before: absent.yaml: No such file or directory; give the path of" in line
    assert not made


def test_an_edited_case_runs_its_own_runs_and_makes_its_own_page(studies):
    page = studies.folder / PAGE
    drawn = page.stat().st_mtime_ns
    studies.write(second={**SECOND, "cases": {"first": {**CASE, "steps": 6}}})
    _, made = studies.call(*TABLES, PAGE)
    assert {study for study, *_ in made} == {"after"}
    assert len(made) == 4
    assert page.stat().st_mtime_ns == drawn


def test_the_command_on_a_page_of_a_set_measures_a_run_again(studies):
    """The set has a key of its own, so the page is named in the command."""
    studies.write(study_set={**SET, "tables": ["summary"]})
    studies.call(PAGE)
    page = (studies.folder / PAGE).read_text(encoding="utf-8")
    _, *arguments = shlex.split(html.unescape(re.search(r"<pre>(\S*snakemake .*?)</pre>", page)[1]))
    record = "results/before/runs/first/numpy/cpu/float32/train-dataset/r1/run.json"
    before = studies.records()
    command = [sys.executable, "-m", "snakemake", *arguments, "--forcerun", record]
    subprocess.run(command, cwd=studies.folder, capture_output=True, check=True)
    again = {name for name, when in studies.records().items() if before.get(name) != when}
    assert again == {("before", "numpy", "r1")}
