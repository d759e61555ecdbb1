"""The provenance in a run's record: host, code and environment."""

import subprocess
from pathlib import Path

import pytest

from trainmark.runs import provenance


def test_a_job_of_a_batch_system_is_named_with_its_node(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*provenance.JOB_VARIABLES, *provenance.NODE_VARIABLES):
        monkeypatch.delenv(name, raising=False)
    assert provenance.batch() is None
    monkeypatch.setenv("PBS_JOBID", "17.server")
    assert provenance.batch() == {"job": "17.server", "node": None}
    monkeypatch.setenv("SLURM_JOB_ID", "4")
    monkeypatch.setenv("SLURMD_NODENAME", "n1")
    assert provenance.batch() == {"job": "4", "node": "n1"}


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
