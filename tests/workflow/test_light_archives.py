"""Results in their light form: the same values in a fraction of the bytes, and checked."""

import json

import pytest
from packed_study import check_values, unpack
from recorded import FORMATS
from reported_study import FROM_RECORDS, snakemake

from trainmark.analyse.sets import fit, result_set
from trainmark.analyse.sets.result_set import UnfitResults
from trainmark.files import file_digest, sealed
from trainmark.packed import archive

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


def of_first_ok(key, value, records):
    """Change a record that is ok, which stays a sealed one."""
    number = next(n for n, record in enumerate(records) if record["status"] == "ok")
    records[number] = sealed({**records[number], key: value})


def with_host(records):
    provenance = records[0]["provenance"]
    host = {**provenance["host"], "hostname": "lab-1"}
    records[0] = sealed({**records[0], "provenance": {**provenance, "host": host}})


SPOILT = {
    "another number of images": (
        edited("runs.jsonl", lambda records: of_first_ok("images", 7, records)),
        "measurements.csv has ",
    ),
    "a folder in a reason": (
        edited("runs.jsonl", lambda records: of_first_ok("reason", "no /home/me/x", records)),
        "runs.jsonl names a folder: /home/me/x",
    ),
    "a host": (
        edited("runs.jsonl", with_host),
        "it names a host: lab-1, to be called amd-epyc-2-cores",
    ),
    "an error that is no number": (
        edited("parity.jsonl", lambda proofs: proofs[0].update(logits=float("nan"))),
        "parity.jsonl is damaged",
    ),
    "an error that is missing": (
        edited("parity.jsonl", lambda proofs: proofs[0].update(logits=None)),
        "its logits is off by None, beyond 0.0001",
    ),
    "no proof": (
        edited("parity.jsonl", lambda proofs: proofs.pop()),
        "it is ok without a proof of parity",
    ),
    "a failed proof": (
        edited("parity.jsonl", lambda proofs: proofs[0].update(passed=False)),
        "it is ok though its parity failed",
    ),
    "an error beyond its limit": (
        edited("parity.jsonl", lambda proofs: proofs[0].update(logits=0.3)),
        "its logits is off by 0.3, beyond 0.0001",
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
    """The one fault of an archive, or the error that refuses it."""
    try:
        [fault] = fit.faults(spoilt)
    except UnfitResults as error:
        return str(error)
    return fault
