"""Rule reference: the float64 observation that every run of a network is compared with."""

import subprocess
import sys
import tempfile
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
    with tempfile.TemporaryDirectory() as folder, log.open("w") as output:
        job = Path(folder, "job.json")
        job.write_text(settings, encoding="utf-8")
        script = SCRIPTS / "worker" / "proof" / "reference.py"
        command = attached(sys.executable, "-I", script, job, reference)
        if subprocess.run(command, stdout=output, stderr=output, check=False).returncode:
            raise ReferenceFailed(f"the reference {reference.stem} failed; its log is {log}")


if __name__ == "__main__":
    with one_line_errors():
        main(snakemake.params.settings, Path(snakemake.output[0]), Path(snakemake.log[0]))
