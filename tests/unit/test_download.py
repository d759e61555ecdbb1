"""Downloads from a real server on this machine, with the faults that servers have."""

import errno
import hashlib
import logging
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest
from faulty_mirror import CONTENT, FILE, RETRIES, Mirror

from trainmark.data.obtain.addresses import DownloadError, opened
from trainmark.data.obtain.download import fetch, first_that_works
from trainmark.data.obtain.storage import StorageError


@pytest.fixture
def mirror() -> Iterator[type[Mirror]]:
    """The class, whose servers are shut down after the test."""
    started = []

    class ShutDownAfterwards(Mirror):
        def __init__(self, *args: object, **settings: object) -> None:
            super().__init__(*args, **settings)  # type: ignore[arg-type]
            started.append(self)

    yield ShutDownAfterwards
    for server in started:
        server.shutdown()
        server.server_close()


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_fetches_the_file_under_its_final_name(mirror: type[Mirror], tmp_path: Path) -> None:
    assert fetch(FILE, [mirror().url], tmp_path).read_bytes() == CONTENT
    assert names(tmp_path) == [FILE.name]


def test_a_file_that_is_there_is_not_requested(mirror: type[Mirror], tmp_path: Path) -> None:
    server = mirror()
    (tmp_path / FILE.name).write_bytes(CONTENT)
    fetch(FILE, [server.url], tmp_path)
    assert server.ranges == []


def test_a_wrong_file_that_is_there_is_replaced(mirror: type[Mirror], tmp_path: Path) -> None:
    (tmp_path / FILE.name).write_bytes(b"something else")
    assert fetch(FILE, [mirror().url], tmp_path).read_bytes() == CONTENT


def test_goes_on_where_the_connection_broke(mirror: type[Mirror], tmp_path: Path) -> None:
    server = mirror(faults=("break",))
    assert fetch(FILE, [server.url], tmp_path, RETRIES).read_bytes() == CONTENT
    first, second = server.ranges
    assert first is None
    assert second is not None and 100_000 <= int(second[6:-1]) <= 200_000


def test_goes_on_where_an_earlier_process_stopped(mirror: type[Mirror], tmp_path: Path) -> None:
    server = mirror()
    (tmp_path / f"{FILE.name}.part").write_bytes(CONTENT[:150_000])
    assert fetch(FILE, [server.url], tmp_path).read_bytes() == CONTENT
    assert server.ranges == ["bytes=150000-"]


def test_goes_on_at_the_next_mirror(mirror: type[Mirror], tmp_path: Path) -> None:
    first, second = mirror(faults=("break", 404)), mirror()
    assert fetch(FILE, [first.url, second.url], tmp_path, RETRIES).read_bytes() == CONTENT
    assert second.ranges == [first.ranges[1]]


def test_starts_afresh_where_the_server_knows_no_ranges(
    mirror: type[Mirror], tmp_path: Path
) -> None:
    server = mirror(faults=("no ranges",))
    (tmp_path / f"{FILE.name}.part").write_bytes(CONTENT[:150_000])
    assert fetch(FILE, [server.url], tmp_path).read_bytes() == CONTENT
    assert server.ranges == ["bytes=150000-"]


@pytest.mark.parametrize("size", [150_000, len(CONTENT), len(CONTENT) + 1])
def test_starts_afresh_where_the_pieces_do_not_fit(
    mirror: type[Mirror], tmp_path: Path, size: int
) -> None:
    server = mirror()
    (tmp_path / f"{FILE.name}.part").write_bytes(bytes(size))
    assert fetch(FILE, [server.url], tmp_path).read_bytes() == CONTENT
    assert server.ranges[-1] is None


def test_a_server_that_sends_too_much_is_left(mirror: type[Mirror], tmp_path: Path) -> None:
    with pytest.raises(
        DownloadError, match=r"has 4\d{5} bytes instead of 400000; nothing was kept"
    ):
        fetch(FILE, [mirror(faults=("endless",)).url], tmp_path, RETRIES)
    assert names(tmp_path) == []


@pytest.mark.parametrize("fault", [503, 429, "silence", "byte by byte", "endless header"])
def test_asks_again_after_a_passing_failure(
    mirror: type[Mirror], tmp_path: Path, fault: str | int
) -> None:
    server = mirror(faults=(fault, fault))
    assert fetch(FILE, [server.url], tmp_path, RETRIES).read_bytes() == CONTENT
    assert len(server.ranges) == 3


def test_leaves_a_server_that_leads_in_circles(mirror: type[Mirror], tmp_path: Path) -> None:
    server = mirror(faults=("circle",) * 100)
    with pytest.raises(DownloadError, match=r"can't be asked \(Exceeded 30 redirects"):
        fetch(FILE, [server.url], tmp_path, RETRIES)
    assert names(tmp_path) == []


def test_leaves_a_server_that_answers_with_another_part(
    mirror: type[Mirror], tmp_path: Path
) -> None:
    first, second = mirror(faults=("another part",)), mirror()
    assert fetch(FILE, [first.url, second.url], tmp_path, RETRIES).read_bytes() == CONTENT
    assert len(first.ranges) == 1


def test_goes_on_where_a_mirror_cannot_be_read(tmp_path: Path) -> None:
    def unreadable() -> str:
        raise PermissionError(errno.EACCES, "Permission denied", "/shared/images")

    ways = [("/shared", unreadable), ("elsewhere", lambda: "content")]
    assert first_that_works("images", ways, tmp_path / "images.part") == "content"


def test_an_error_names_neither_user_nor_password(tmp_path: Path) -> None:
    def refuse() -> str:
        raise DownloadError("answers 401")

    address = "https://me:se@cret@example.org/images"
    with pytest.raises(DownloadError, match=r"https://example\.org/images: answers 401"):
        first_that_works("images", [(address, refuse)], tmp_path / "images.part")


def test_the_log_names_neither_user_nor_password(
    mirror: type[Mirror], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    url = mirror().url
    (tmp_path / f"{FILE.name}.part").write_bytes(bytes(150_000))
    with caplog.at_level(logging.INFO):
        fetch(FILE, [url.replace("//", "//me:secret@")], tmp_path)
    assert f"fetching {url} (0.4 MB) from byte 150000 on" in caplog.messages
    assert f"{url}: the pieces don't fit together, fetching it afresh" in caplog.messages


def test_goes_to_the_next_mirror_at_once_after_404(mirror: type[Mirror], tmp_path: Path) -> None:
    first, second = mirror(faults=(404,)), mirror()
    assert fetch(FILE, [first.url, second.url], tmp_path, RETRIES).read_bytes() == CONTENT
    assert len(first.ranges) == 1


def test_no_connection_is_left_open_after_404(mirror: type[Mirror]) -> None:
    server = mirror(faults=(404,))
    with pytest.raises(DownloadError) as refusal, opened(server.url, FILE, 0, silence_seconds=1):
        pass
    remote = [each.raddr for each in psutil.Process().net_connections() if each.raddr]
    assert server.server_port not in {address.port for address in remote}, refusal


def test_goes_to_the_next_mirror_where_one_is_down(mirror: type[Mirror], tmp_path: Path) -> None:
    assert fetch(FILE, [down(mirror), mirror().url], tmp_path, RETRIES).read_bytes() == CONTENT


def down(mirror: type[Mirror]) -> str:
    """The address of a server that is no more."""
    server = mirror()
    server.shutdown()
    server.server_close()
    return server.url


def test_the_error_tells_what_each_mirror_said(mirror: type[Mirror], tmp_path: Path) -> None:
    other, short = mirror(content=bytes(len(CONTENT))), mirror(content=CONTENT[:-1])
    addresses = [down(mirror), mirror(faults=(404,)).url, other.url, short.url, "/no/such/file"]
    with pytest.raises(DownloadError) as caught:
        fetch(FILE, addresses, tmp_path, RETRIES)
    zeros = hashlib.sha256(bytes(len(CONTENT))).hexdigest()
    assert str(caught.value) == (
        f"can't get images.gz (400000 bytes, sha256 {FILE.sha256}): "
        f"{addresses[0]}: can't be reached ([Errno {errno.ECONNREFUSED}] Connection refused); "
        f"{addresses[1]}: answers 404 Not Found; "
        f"{addresses[2]}: has sha256 {zeros} instead of {FILE.sha256}; "
        f"{addresses[3]}: would have 399999 bytes instead of 400000; "
        "/no/such/file: can't be read (No such file or directory); nothing was kept"
    )
    assert names(tmp_path) == []


def test_the_error_tells_what_stays_to_go_on_from(mirror: type[Mirror], tmp_path: Path) -> None:
    server = mirror(faults=("break", "break", "break"))
    with pytest.raises(DownloadError, match=r"the bytes so far stay in .*images\.gz\.part"):
        fetch(FILE, [server.url], tmp_path, RETRIES)
    assert fetch(FILE, [server.url], tmp_path, RETRIES).read_bytes() == CONTENT


@pytest.mark.parametrize("address", ["{}", "file://{}"])
def test_a_mirror_may_be_a_folder(tmp_path: Path, address: str) -> None:
    origin = tmp_path / "a folder" / FILE.name
    origin.parent.mkdir()
    origin.write_bytes(CONTENT)
    fetched = fetch(FILE, [address.format(origin)], tmp_path / "source")
    assert fetched.read_bytes() == CONTENT


def test_a_full_disk_is_seen_before(
    mirror: type[Mirror], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A disk of any size can't be had without root, so its size is made up.
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=100_000))
    server = mirror()
    with pytest.raises(StorageError, match=r"has 0.1 MB free where 0.4 MB are needed"):
        fetch(FILE, [server.url], tmp_path)
    assert server.ranges == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full, a disk that is full")
def test_a_disk_that_fills_up_is_reported_at_once(mirror: type[Mirror], tmp_path: Path) -> None:
    (tmp_path / f"{FILE.name}.part").symlink_to("/dev/full")
    second = mirror()
    with pytest.raises(StorageError) as caught:
        fetch(FILE, [mirror().url, second.url], tmp_path)
    assert str(caught.value) == (
        f"can't write {tmp_path}/images.gz.part: {os.strerror(errno.ENOSPC)}; nothing was kept"
    )
    assert names(tmp_path) == [] and second.ranges == []


def test_a_destination_that_is_no_folder(mirror: type[Mirror], tmp_path: Path) -> None:
    (tmp_path / "source").write_text("a file", encoding="utf-8")
    with pytest.raises(StorageError, match=r"can't use the folder .*source: File exists"):
        fetch(FILE, [mirror().url], tmp_path / "source")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_destination_that_may_not_be_written(mirror: type[Mirror], tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(StorageError, match="Permission denied"):
        fetch(FILE, [mirror().url], tmp_path)
