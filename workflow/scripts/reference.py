"""Rule reference: the float64 observation that every run of a network is compared with."""

import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any

from trainmark.errors import TrainmarkError, one_line_errors
from trainmark.parent import attached
from trainmark.study.plugins import SCRIPTS

snakemake: Any  # put here by Snakemake


class ReferenceFailed(TrainmarkError):
    """The reference of a network could not be computed."""


def main(settings: str, reference: Path, log: Path) -> None:
    """Compute the reference in the host's Python; `settings` is canonical JSON."""
    with tempfile.TemporaryDirectory() as folder:
        job = Path(folder, "job.json")
        job.write_text(settings, encoding="utf-8")
        script = SCRIPTS / "worker" / "proof" / "reference.py"
        command = attached(sys.executable, "-I", script, job, reference)
        ended = subprocess.run(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
        )
    log.write_bytes(ended.stdout)
    if ended.returncode:
        lines = ended.stdout.decode(errors="replace").split("\n")
        reason = next((line for line in reversed(lines) if line), "it printed nothing")
        raise ReferenceFailed(f"the reference {reference.stem} failed: {reason}; its log is {log}")
    with zipfile.ZipFile(reference, "a") as arrays:
        arrays.comment = reference.stem.encode()  # by which runs/inputs.py knows it


if __name__ == "__main__":
    with one_line_errors():
        main(snakemake.params.settings, Path(snakemake.output[0]), Path(snakemake.log[0]))
