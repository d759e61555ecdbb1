"""A result set in an archive: whole and the same every time, or refused with the reason."""

import os
import shutil
import subprocess
import tempfile
import zipfile
from hashlib import sha256
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from packed_study import ABOUT, RUN, pack, written

from trainmark.analyse.sets import result_set
from trainmark.data.obtain.archives import ArchiveError
from trainmark.errors import TrainmarkError
from trainmark.packed import archive, bag
from trainmark.runs import formats


@pytest.fixture(scope="module")
def folder(recorded, tmp_path_factory):
    return written(recorded, tmp_path_factory.mktemp("results"))


@pytest.fixture
def packed(folder, tmp_path):
    return pack(folder, tmp_path / "recorded.zip")


def rewritten(path, changes):
    """The archive with some members' content replaced, added (new names) or left out (None)."""
    with zipfile.ZipFile(path) as source:
        members = {name: source.read(name) for name in source.namelist()} | changes
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as target:
        for name, content in members.items():
            if content is not None:
                target.writestr(name, content)
    return path


def content(path):
    with archive.opened(path) as packed:
        return {name: packed.read(name) for name in packed.names}


def test_results_come_out_of_an_archive_as_they_went_in(folder, packed):
    before = result_set.read(folder / "measurements.csv")
    after = result_set.read(packed)
    pd.testing.assert_frame_equal(after.measurements, before.measurements)
    assert after.records == before.records
    assert len(after.records) == 24
    assert (before.place, after.place) == (str(folder), str(packed))


NAMES = st.from_regex(r"[a-z0-9][a-z0-9._-]{0,8}", fullmatch=True)
PATHS = st.lists(NAMES, min_size=1, max_size=3).map(lambda parts: "/".join([*parts, "file"]))


@given(files=st.dictionaries(PATHS, st.binary(max_size=300), min_size=1, max_size=6))
@settings(max_examples=50, deadline=None)
def test_any_files_come_out_as_they_went_in_and_pack_to_the_same_archive(files):
    with tempfile.TemporaryDirectory() as folder:
        first, second = Path(folder, "a.zip"), Path(folder, "again", "a.zip")
        origins = {name: Path(folder, str(number)) for number, name in enumerate(files)}
        for name, origin in origins.items():
            origin.write_bytes(files[name])
        archive.pack(origins, ABOUT, first)
        assert content(first) == files
        second.parent.mkdir()
        archive.pack(dict(reversed(origins.items())), ABOUT, second)
        assert second.read_bytes() == first.read_bytes()


def test_the_same_results_elsewhere_and_later_give_the_same_archive(folder, packed, tmp_path):
    shutil.copytree(folder, tmp_path / "elsewhere")
    os.utime(tmp_path / "elsewhere" / RUN, (0, 10**9))
    (tmp_path / "elsewhere" / RUN).chmod(0o600)
    (tmp_path / "other").mkdir()
    again = pack(tmp_path / "elsewhere", tmp_path / "other" / packed.name)
    assert again.read_bytes() == packed.read_bytes()


@pytest.mark.parametrize("manifest", [bag.MANIFEST, bag.TAG_MANIFEST])
def test_it_can_be_checked_without_trainmark(packed, tmp_path, manifest):
    with zipfile.ZipFile(packed) as source:
        source.extractall(tmp_path)
    command = ["sha256sum", "--check", "--strict", "--quiet", manifest]
    subprocess.run(command, cwd=tmp_path / "recorded", check=True)


def test_it_says_what_it_is(packed):
    with archive.opened(packed) as packed_results:
        octets, files = packed_results.about["Payload-Oxum"].split(".")
        assert int(files) == len(packed_results.names) == 24 * 3 + 1
        assert int(octets) == sum(len(packed_results.read(name)) for name in packed_results.names)
        assert packed_results.about["External-Identifier"] == "recorded"
        assert packed_results.about["Trainmark-Results"] == str(formats.FORMAT)


CHANGED = {
    "a changed byte": (
        {f"recorded/data/{RUN}": b"{}"},
        f"its 'data/{RUN}' has another digest than its manifest says",
    ),
    "a missing file": ({f"recorded/data/{RUN}": None}, f"it lacks 'data/{RUN}'"),
    "one more file": (
        {"recorded/data/more.csv": b"1,2"},
        "it holds 'data/more.csv', which its manifest doesn't name",
    ),
    "one more file beside the bag": (
        {"fake/data/measurements.csv": b""},
        "it holds 'fake/data/measurements.csv' beside its folder 'recorded/'",
    ),
    "another manifest": (
        {f"recorded/{bag.MANIFEST}": b""},
        "it holds 'data/measurements.csv', which its manifest doesn't name",
    ),
    "a manifest of other lines": (
        {f"recorded/{bag.MANIFEST}": b"all is well\n"},
        "its manifest has the line 'all is well'",
    ),
    "no manifest": ({f"recorded/{bag.MANIFEST}": None}, f"it lacks '{bag.MANIFEST}'"),
    "other words about it": (
        {f"recorded/{bag.ABOUT}": b"External-Identifier: thesis\n"},
        f"its '{bag.ABOUT}' has another digest than its manifest says",
    ),
    "another BagIt": (
        {f"recorded/{bag.DECLARATION}": b"BagIt-Version: 0.97\n"},
        "its bagit.txt declares no BagIt 1.0 in UTF-8",
    ),
    "no bag": ({f"recorded/{bag.DECLARATION}": None}, "it lacks 'bagit.txt'"),
}


@pytest.mark.parametrize(("changes", "reason"), CHANGED.values(), ids=CHANGED)
def test_what_isnt_what_its_manifest_says_is_refused(packed, changes, reason):
    with pytest.raises(archive.PackedError) as caught:
        archive.check(rewritten(packed, changes))
    made = f"{packed} is no archive of results as `pack` makes it: "
    assert str(caught.value) == made + reason


def test_a_file_beside_its_payload_is_refused():
    files = bag.tag_files({}, 0, {})
    promise = f"{sha256(b'a log').hexdigest()}  worker.log\n".encode()
    files |= {"worker.log": b"a log", bag.TAG_MANIFEST: files[bag.TAG_MANIFEST] + promise}
    digests = {name: sha256(content).hexdigest() for name, content in files.items()}
    with pytest.raises(bag.Broken, match=r"it holds 'worker\.log' beside its data/"):
        bag.check(digests, files.__getitem__)


def test_results_of_a_later_format_are_refused(folder, tmp_path, monkeypatch):
    monkeypatch.setattr(archive, "FORMAT", formats.FORMAT + 1)
    monkeypatch.setattr(archive, "check", lambda path: None)  # as a later trainmark packs it
    later = pack(folder, tmp_path / "later.zip")
    monkeypatch.undo()
    message = r"later.zip, packed by trainmark 0.1.0, is of format \d+, and this trainmark reads"
    with pytest.raises(formats.UnknownFormat, match=message):
        archive.check(later)


def link():
    member = zipfile.ZipInfo("recorded/data/link")
    member.external_attr = 0o120777 << 16
    return member


@pytest.mark.parametrize("member", ["recorded/../../outside", "/etc/passwd", link()])
def test_a_path_that_leaves_the_folder_and_a_link_are_refused(packed, member):
    with zipfile.ZipFile(packed, "a") as target:
        target.writestr(member, b"/etc/passwd")
    with pytest.raises(ArchiveError, match="leads out of the archive or is no plain file"):
        archive.check(packed)


def test_a_bomb_is_refused_by_the_size_that_it_states(packed):
    rewritten(packed, {"recorded/data/zeros": bytes(100_000_000)})
    with pytest.raises(archive.PackedError, match=r"it would unpack to 10\d\.\d MB, \d+ times"):
        archive.check(packed)


def test_a_member_that_states_a_smaller_size_is_read_no_further_than_that(tmp_path):
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as target:
        target.writestr("a/bagit.txt", bytes(1_000_000))
    stated = (1_000_000).to_bytes(4, "little")
    path.write_bytes(path.read_bytes().replace(stated, (100).to_bytes(4, "little")))
    with pytest.raises(archive.PackedError, match=r"its 'a/bagit.txt' can't be read \(Bad CRC-32"):
        archive.check(path)


def test_two_files_of_one_name_are_refused(packed):
    with (
        zipfile.ZipFile(packed, "a") as target,
        pytest.warns(UserWarning, match="Duplicate name"),
    ):
        target.writestr("recorded/bagit.txt", bag.VERSION)
    with pytest.raises(archive.PackedError, match="it holds two files of one name"):
        archive.check(packed)


def test_another_compression_is_refused(packed):
    with zipfile.ZipFile(packed, "a") as target:
        target.writestr("recorded/data/more", b"", zipfile.ZIP_BZIP2)
    with pytest.raises(archive.PackedError, match="compressed otherwise than by deflate"):
        archive.check(packed)


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (lambda whole: b"", "it is no zip archive"),
        (lambda whole: b"<html>not found</html>", "it is no zip archive"),
        (lambda whole: whole[: len(whole) // 2], "it is cut off"),
        (lambda whole: whole[:-10], "it is cut off"),
    ],
)
def test_no_archive_at_all_and_one_that_was_cut_off(packed, spoil, reason):
    packed.write_bytes(spoil(packed.read_bytes()))
    with pytest.raises(archive.PackedError, match=f"as `pack` makes it: {reason}$"):
        archive.check(packed)


def test_a_member_without_a_name(packed):
    whole = packed.read_bytes()
    packed.write_bytes(whole.replace(b"recorded/bagit.txt", b"\0ecorded/bagit.txt"))
    with pytest.raises(ArchiveError, match="its member '' leads out"):
        archive.check(packed)


def test_what_would_be_refused_is_not_packed(tmp_path):
    log = tmp_path / "worker.log"
    log.write_bytes(bytes(10_000_000))
    with pytest.raises(archive.PackedError, match=r"it would unpack to 10\.0 MB"):
        archive.pack({"worker.log": log}, {}, tmp_path / "a.zip")
    assert list(tmp_path.iterdir()) == [log]


def test_an_empty_archive(tmp_path):
    with zipfile.ZipFile(tmp_path / "a.zip", "w"):
        pass
    with pytest.raises(archive.PackedError, match="it is empty"):
        archive.check(tmp_path / "a.zip")


@pytest.fixture(scope="module")
def little(tmp_path_factory):
    """The bytes of an archive of two little files, and what is in it."""
    folder = tmp_path_factory.mktemp("little")
    files = {"measurements.csv": b"a,b\n1,2\n" * 9, "runs/run.json": b"{}"}
    for name, content_of in files.items():
        (folder / name.replace("/", "-")).write_bytes(content_of)
    origins = {name: folder / name.replace("/", "-") for name in files}
    archive.pack(origins, ABOUT, folder / "a.zip")
    return (folder / "a.zip").read_bytes(), files


@given(position=st.integers(0, 10**6), mask=st.integers(1, 255))
@settings(max_examples=300, deadline=None)
def test_no_changed_byte_of_an_archive_gives_other_results(little, position, mask):
    """Some bytes are of times and attributes, which nothing reads: then it is as before."""
    whole, files = little
    damaged = bytearray(whole)
    damaged[position % len(whole)] ^= mask
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "a.zip")
        path.write_bytes(damaged)
        try:
            unpacked = content(path)
        except TrainmarkError as error:
            assert str(error).count("\n") == 0
        else:
            assert unpacked == files
