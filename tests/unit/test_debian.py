"""Debian packages: their locks, their cache, and apt, real or one that answers as a test needs."""

import hashlib
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from trainmark.environments import Unavailable, apt, debian
from trainmark.environments.recipes import caffe

ENVIRONMENTS = Path(__file__).parents[2] / "envs"


def make_package(folder: Path) -> Path:
    """Build the package `hello`, which has one file."""
    if shutil.which("dpkg-deb") is None:
        pytest.skip("needs dpkg-deb")
    (folder / "tree" / "DEBIAN").mkdir(parents=True)
    (folder / "tree" / "usr").mkdir()
    (folder / "tree" / "usr" / "greeting").write_text("hello\n")
    control = "Package: hello\nVersion: 1:2.0-3\nArchitecture: all\nMaintainer: x\nDescription: x\n"
    (folder / "tree" / "DEBIAN" / "control").write_text(control)
    package = folder / "hello_1%3a2.0-3_all.deb"
    subprocess.run(["dpkg-deb", "--build", folder / "tree", package], check=True)
    return package


def fake_apt(folder: Path, *lines: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put an apt-get on PATH that runs some lines of shell, its command being $*."""
    if not apt.KEYS.exists():
        pytest.skip(f"needs {apt.KEYS}")
    program = folder / "bin" / "apt-get"
    program.parent.mkdir()
    program.write_text("\n".join(["#!/bin/sh", *lines]))
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")


SOURCES = """case "$*" in indextargets*)
echo "  http://flat.invalid"
echo "bookworm-security main http://security.invalid"
echo "stable tools http://vendor.invalid"
echo "bookworm main http://mirror.invalid/debian";; esac
"""


class Hello:
    """A package, its lock, and an empty cache."""

    def __init__(self, folder: Path) -> None:
        self.package = make_package(folder)
        self.sha256 = hashlib.sha256(self.package.read_bytes()).hexdigest()
        self.lock = folder / "some.debian.lock"
        self.lock.write_text(f"# Made by hand.\nhello 1:2.0-3 bookworm {self.sha256}\n")


@pytest.fixture
def hello(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Hello:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return Hello(tmp_path)


def serve(hello: Hello, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An apt-get that has the package and no other."""
    download = f"""case "$*" in *"download hello=1:2.0-3") cp {hello.package} .;; esac"""
    fake_apt(folder, SOURCES, download, monkeypatch=monkeypatch)


def test_a_package_is_downloaded_once_and_unpacked_twice(
    hello: Hello, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    serve(hello, tmp_path, monkeypatch)
    debian.install(hello.lock, tmp_path / "first")
    (tmp_path / "bin" / "apt-get").write_text("#!/bin/sh\nexit 1\n")
    debian.install(hello.lock, tmp_path / "second")
    assert (tmp_path / "second" / "usr" / "greeting").read_text() == "hello\n"
    left = [path.name for path in debian.cache_folder().iterdir()]
    assert left == [f"hello_{hello.sha256}.deb"]


def test_a_damaged_file_in_the_cache_is_fetched_anew(
    hello: Hello, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    serve(hello, tmp_path, monkeypatch)
    (package,) = debian.read(hello.lock)
    debian.cache_folder().mkdir(parents=True)
    debian.cached(package).write_text("half a pack")
    debian.install(hello.lock, tmp_path / "first")
    assert (tmp_path / "first" / "usr" / "greeting").exists()


def test_another_package_than_the_locked_one_is_not_kept(
    hello: Hello, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    serve(hello, tmp_path, monkeypatch)
    hello.lock.write_text(f"hello 1:2.0-3 bookworm {'0' * 64}\n")
    with pytest.raises(Unavailable, match=r"hello_1%3a2\.0-3_all\.deb has another checksum"):
        debian.install(hello.lock, tmp_path / "first")
    assert list(debian.cache_folder().iterdir()) == []


def test_a_system_without_apt_is_told_what_is_missing(
    hello: Hello, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    with pytest.raises(Unavailable, match=r"^apt-get and dpkg-deb can't .* missing$"):
        debian.install(hello.lock, tmp_path / "first")


def test_the_mirror_is_that_of_the_system_s_own_release(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake_apt(tmp_path, SOURCES, monkeypatch=monkeypatch)
    assert apt.mirror() == "http://mirror.invalid/debian"


def test_a_system_without_sources_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake_apt(tmp_path, "exit 0", monkeypatch=monkeypatch)
    with pytest.raises(Unavailable, match="has no sources"):
        apt.mirror()


@pytest.fixture(scope="module")
def real_apt(tmp_path_factory: pytest.TempPathFactory) -> apt.Apt:
    try:
        return apt.Apt(tmp_path_factory.mktemp("apt"), ["bookworm"])
    except Unavailable as error:
        pytest.skip(f"needs apt and a mirror of Debian: {error}")


class TestRealApt:
    def test_the_mirror_offers_packages_with_checksums(self, real_apt: apt.Apt) -> None:
        (offer,) = real_apt.offers(["libjpeg62-turbo/bookworm"])
        assert offer.name == "libjpeg62-turbo"
        assert offer.version.startswith("1:2.1.")
        assert len(offer.sha256) == 64

    def test_a_version_that_has_vanished_is_named(self, real_apt: apt.Apt, tmp_path: Path) -> None:
        with pytest.raises(Unavailable, match=r"^apt can't get .*: Version '0' for 'libgif7' was"):
            real_apt.download(["libgif7=0", "liblmdb0"], tmp_path)
        assert list(tmp_path.iterdir()) == []


class TestCaffe:
    def test_its_lock_has_what_its_list_names(self) -> None:
        wanted = debian.entries(ENVIRONMENTS / "caffe.debian.txt", "/")
        locked = debian.read(ENVIRONMENTS / "caffe.debian.lock")
        assert sorted(wanted) == [[package.name, package.release] for package in locked]
        assert "://" not in (ENVIRONMENTS / "caffe.debian.lock").read_text()

    def test_its_version_is_that_of_its_package(self) -> None:
        version = caffe.version(ENVIRONMENTS / "caffe.debian.lock")
        assert version == "1.0.0+git20180821.99bd997"

    def test_an_interpreter_without_a_shared_library_is_refused(self, tmp_path: Path) -> None:
        python = tmp_path / "python3.9"
        python.write_text("#!/bin/sh\necho /usr/lib/libpython3.9.a\n")
        python.chmod(0o755)
        with pytest.raises(Unavailable, match=r"--enable-shared, and .*python3\.9 is none"):
            caffe.link_python_library(python, tmp_path)
