"""What a run's record says of where it was made."""

import subprocess
from pathlib import Path

from trainmark.runs import provenance


def test_the_host_names_itself() -> None:
    host = provenance.host()
    assert host["hostname"]
    assert host["cores"] >= 1
    assert host["memory_bytes"] > 2**27
    assert set(host) >= {"cpu", "kernel", "system", "clock_megahertz", "governor"}


def test_the_revision_says_whether_tracked_files_differ(tmp_path: Path) -> None:
    def git(*arguments: str) -> None:
        author = ["-c", "user.name=a", "-c", "user.email=a@b"]
        subprocess.run(["git", "-C", tmp_path, *author, *arguments], check=True)

    assert provenance.revision(tmp_path) is None
    git("init", "-q")
    (tmp_path / "file").write_text("one")
    git("add", "file")
    git("commit", "-q", "-m", "one")
    clean = provenance.revision(tmp_path)
    assert clean is not None
    assert len(clean) == 40
    (tmp_path / "file").write_text("two")
    assert provenance.revision(tmp_path) == f"{clean}-dirty"


def test_versions_are_those_installed() -> None:
    versions = provenance.versions()
    assert versions["snakemake"]
    assert versions["trainmark"]
