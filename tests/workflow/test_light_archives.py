"""Results in their light form: the same values in a fraction of the bytes, and checked."""

import json
from io import BytesIO

import pandas as pd
import pytest
from packed_study import check_values, unpack
from recorded import FORMATS
from reported_study import FROM_RECORDS, snakemake
from small_study import ENVIRONMENTS

from trainmark.analyse.sets import fit, result_set
from trainmark.errors import TrainmarkError
from trainmark.files import file_digest, sealed
from trainmark.packed import archive
from trainmark.study import plan
from trainmark.study.axes import key
from trainmark.study.config import study_file

RULES = ("--allowed-rules", "publish", "light_archive", "archive", "events", "measurements")


@pytest.fixture(scope="module", params=["1.zip", pytest.param("2.zip", marks=pytest.mark.whole)])
def full(request):
    """An archive with everything, of each format."""
    return FORMATS / request.param


@pytest.fixture(scope="module")
def light(full, tmp_path_factory):
    """The light form of a recorded study."""
    folder = tmp_path_factory.mktemp("study")
    unpacked = unpack(full, folder)
    snakemake(folder, "--cores", "2", *FROM_RECORDS, *RULES, "--", "publish")
    return unpacked / "recorded-light.zip"


def test_it_holds_the_same_values_in_a_fraction_of_the_bytes(full, light):
    before, after = result_set.read(full), result_set.read(light)
    check_values(before.measurements, after.measurements)
    assert len(after.records) == len(before.records)
    assert light.stat().st_size < full.stat().st_size / 4


def test_the_study_that_it_holds_repeats_it(light, tmp_path):
    with archive.opened(light) as packed:
        (tmp_path / "study.json").write_bytes(packed.read("study.json"))
    study = plan.make(study_file.read(tmp_path / "study.json"), ENVIRONMENTS)
    jobs = [record["job"] for record in result_set.read(light).records]
    assert {*map(key, jobs)} == {key(run.settings) for run in study.runs.values()}


def test_one_with_everything_is_not_fit(full):
    assert "it isn't in the light form that `snakemake publish` makes" in fit.faults(full)


def test_it_has_the_digest_of_the_full_archive_packed_beside_it(light):
    with archive.opened(light) as packed:
        digest = packed.about["Full-Archive-SHA-256"]
    assert digest == file_digest(light.with_name("recorded.zip"))


def test_it_names_its_machine_by_its_hardware_and_is_fit(light):
    hosts = {run["provenance"]["host"]["hostname"] for run in result_set.read(light).records}
    assert hosts == {"amd-epyc-2-cores"}
    assert list(fit.faults(light)) == []


def lines(content):
    return [json.loads(line) for line in content.splitlines()]


def edited(name, change):
    """A change of the objects in a file of lines."""

    def spoil(contents):
        objects = lines(contents[name])
        change(objects)
        text = "".join(json.dumps(each) + "\n" for each in objects)
        return {**contents, name: text.encode()}

    return spoil


def of_first_ok(change):
    """A change of the first record that is ok, which stays a sealed one."""

    def change_first(records):
        number = next(n for n, record in enumerate(records) if record["status"] == "ok")
        change(records[number])
        records[number] = sealed(records[number])

    return edited("runs.jsonl", change_first)


def of_first_proof(**values):
    return edited("parity.jsonl", lambda proofs: proofs[0].update(values))


def of_table(change):
    """A change of the measurements, whose cells are texts."""

    def spoil(contents):
        table = pd.read_csv(BytesIO(contents["measurements.csv"]), dtype=str, na_filter=False)
        text = change(table).to_csv(index=False)
        return {**contents, "measurements.csv": text.encode()}

    return spoil


def without_runs(contents):
    header, *_ = contents["measurements.csv"].splitlines(keepends=True)
    return {**contents, "measurements.csv": header, "runs.jsonl": b""}


def with_another_parity_error(table):
    has_one = (table["metric"] == "parity_error") & (table["absent"] == "")
    return table.assign(value=table["value"].mask(has_one, "0.25"))


def with_failed_runs(contents):
    """All runs failed, in the records and in the table; those that had values still have them."""
    records = [{**each, "status": "failed"} for each in lines(contents["runs.jsonl"])]
    text = "".join(json.dumps(sealed(each)) + "\n" for each in records)
    return of_table(lambda table: table.assign(status="failed"))(
        {**contents, "runs.jsonl": text.encode()}
    )


def with_infinite_speeds(table):
    has_one = (table["metric"] == "training_speed") & (table["absent"] == "")
    return table.assign(value=table["value"].mask(has_one, "inf"))


def with_an_accuracy_beyond_all(table):
    has_one = (table["metric"] == "accuracy_top1") & (table["absent"] == "")
    return table.assign(value=table["value"].mask(has_one, "5000"))


def with_a_row_twice(table):
    return pd.concat([table.head(1).assign(value="9"), table])


IN_THE_FUTURE = "2999-01-01T00:00:00+00:00"
SPOILT = {
    "another number of images": (
        of_first_ok(lambda record: record.update(images=7)),
        "measurements.csv has ",
    ),
    "a folder in a reason": (
        of_first_ok(lambda record: record.update(reason="no /home/me/x")),
        "runs.jsonl names a folder: /home/me/x",
    ),
    "a host": (
        of_first_ok(lambda record: record["provenance"]["host"].update(hostname="lab-1")),
        "it names a host: lab-1, to be called amd-epyc-2-cores",
    ),
    "an error that is no number": (
        of_first_proof(logits=float("nan")),
        "parity.jsonl is damaged",
    ),
    "an error that is missing": (
        of_first_proof(logits=None),
        "its logits is off by None, beyond 0.0001",
    ),
    "no proof": (
        edited("parity.jsonl", lambda proofs: proofs.pop()),
        "it is ok without a proof of parity",
    ),
    "a failed proof": (
        of_first_proof(passed=False),
        "it is ok though its parity failed",
    ),
    "an error beyond its limit": (
        of_first_proof(logits=0.3),
        "its logits is off by 0.3, beyond 0.0001",
    ),
    "another error than the largest": (of_first_proof(error=1e-9), ", not 1e-09"),
    "another error than the table's": (
        of_table(with_another_parity_error),
        "measurements.csv has a parity error of 0.25, not ",
    ),
    "a limit that is a word": (
        of_first_proof(limits={"logits": "low"}),
        "parity.jsonl: line 1 is no proof",
    ),
    "a limit that proves nothing": (
        of_first_proof(limits={"logits": 1e9}),
        "the limit of its logits proves nothing: 1000000000.0",
    ),
    "another study": (
        lambda contents: {**contents, "study.json": b'{"study": "mine", "cases": {}}'},
        "study.json isn't the study of its runs",
    ),
    "a study that is cut off": (
        lambda contents: {**contents, "study.json": contents["study.json"][:-9]},
        "study.json isn't the study of its runs",
    ),
    "no limits": (of_first_proof(limits={}), "no quantity of its parity has a limit"),
    "two proofs of a run": (
        edited("parity.jsonl", lambda proofs: proofs.insert(0, proofs[0])),
        "parity.jsonl: line 2 is no proof, or the second one of a run",
    ),
    "no runs": (without_runs, "it holds no runs"),
    "no window": (
        of_first_ok(lambda record: record.update(window=None)),
        "it is ok without a window and its images",
    ),
    "a disturbance that the table lacks": (
        of_first_ok(lambda record: record.update(disturbed=True)),
        "measurements.csv has the disturbed False, its record True",
    ),
    "disturbances of a run that wasn't disturbed": (
        of_first_ok(lambda record: record.update(disturbances=["a ghost"])),
        "its record says disturbed: False, and has other disturbances",
    ),
    "a value of a failed run": (
        with_failed_runs,
        ": it is failed, but has a training_speed",
    ),
    "an infinite value": (
        of_table(with_infinite_speeds),
        ": its training_speed is infinite",
    ),
    "a study of another network": (
        lambda contents: {
            **contents,
            "study.json": contents["study.json"].replace(b'"lenet"', b'"alexnet"'),
        },
        "study.json isn't the study of its runs",
    ),
    "another data set in the table": (
        of_table(lambda table: table.assign(dataset="mnist")),
        "measurements.csv has the dataset mnist, its record digits",
    ),
    "a run described in two ways": (
        of_table(lambda table: table.assign(machine=["another", *table["machine"][1:]])),
        "measurements.csv describes a run in two ways: lenet-digits, ",
    ),
    "a value twice": (of_table(with_a_row_twice), " twice"),
    "a job without threads": (
        of_first_ok(lambda record: record["job"].pop("threads")),
        "job breaks the rule 'required'",
    ),
    "folders in a list of them": (
        of_first_ok(lambda record: record.update(reason="in a:/srv/b/c")),
        "runs.jsonl names a folder: /srv/b/c",
    ),
    "a branch as the revision": (
        of_first_ok(lambda record: record["provenance"].update(revision="main")),
        "it was measured by an unknown or changed revision of trainmark",
    ),
    "a window that ends before it begins": (
        of_first_ok(lambda record: record["window"].update(start_seconds=99.0, end_seconds=9.0)),
        "its window has -90.000 s",
    ),
    "a negative error": (
        of_first_proof(error=-1.0),
        "parity.jsonl: line 1 is no proof",
    ),
    "a limit of something else": (
        of_first_proof(limits={"run": 0.5}),
        "parity.jsonl: line 1 is no proof",
    ),
    "an integer beyond 64 bits": (
        of_first_ok(lambda record: record.update(images=10**400)),
        "runs.jsonl: line ",
    ),
    "libraries that are a word": (
        of_first_ok(lambda record: record["worker"].update(libraries="all")),
        "worker/libraries breaks the rule 'type'",
    ),
    "a job of a batch system": (
        of_first_ok(
            lambda record: record["provenance"].update(batch={"job": "7", "node": "lab-1"})
        ),
        "it names its job in a batch system",
    ),
    "a day to come": (
        of_first_ok(lambda record: record["provenance"].update(started=IN_THE_FUTURE)),
        f"it began in the future: {IN_THE_FUTURE}",
    ),
    "another unit": (
        of_table(lambda table: table.assign(unit=table["unit"].replace("images/s", "s"))),
        "its training_speed is in s, not in images/s",
    ),
    "more than all": (
        of_table(with_an_accuracy_beyond_all),
        ": its accuracy_top1 is 5000.0 %",
    ),
    "a study with a machine of its own": (
        lambda contents: {
            **contents,
            "study.json": contents["study.json"].replace(b"{", b'{"machine": {},', 1),
        },
        "study.json isn't the study of its runs",
    ),
    "labels that its runs don't have": (
        lambda contents: contents,
        "its External-Identifier is None, not recorded",
    ),
    "a file of another kind": (
        lambda contents: {**contents, "worker.log": b"fine"},
        "it holds worker.log",
    ),
}


@pytest.mark.parametrize(("spoil", "fault"), SPOILT.values(), ids=SPOILT)
def test_what_contradicts_itself_is_named(light, tmp_path, spoil, fault):
    with archive.opened(light) as packed:
        contents = spoil({name: packed.read(name) for name in packed.names})
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    spoilt = tmp_path / "spoilt.zip"
    archive.pack({name: tmp_path / name for name in contents}, {}, spoilt)
    assert fault in named(spoilt)


def named(spoilt):
    """The faults of an archive, or the error that refuses it."""
    try:
        return "; ".join(fit.faults(spoilt))
    except TrainmarkError as error:
        return str(error)
