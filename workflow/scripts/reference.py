"""Rule reference: the float64 observation that every run of a network is compared with."""

import signal
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any

from trainmark.errors import TrainmarkError, one_line_errors
from trainmark.machine.processes import signal_name
from trainmark.parent import attached, full_disk
from trainmark.runs.logs import last_lines
from trainmark.study.plugins import SCRIPTS

snakemake: Any  # put here by Snakemake


class ReferenceFailed(TrainmarkError):
    """The reference of a network could not be computed."""


def main(settings: str, reference: Path, log: Path) -> None:
    """Compute the reference in the host's Python; `settings` is canonical JSON."""
    # In a folder of its own: the job of an earlier Snakemake may still compute the same.
    with tempfile.TemporaryDirectory(dir=reference.parent, prefix=".") as folder:
        job, part = Path(folder, "job.json"), Path(folder, reference.name)
        job.write_text(settings, encoding="utf-8")
        script = SCRIPTS / "worker" / "proof" / "reference.py"
        command = attached(sys.executable, "-I", script, job, part)
        with log.open("w") as output:
            completed = subprocess.run(command, stdout=output, stderr=output, check=False)
        if completed.returncode:
            raise ReferenceFailed(
                f"{reference.stem}: {reason(log, completed.returncode)}; its log is {log}"
            )
        with zipfile.ZipFile(part, "a") as arrays:
            arrays.comment = reference.stem.encode()  # by which runs/inputs.py knows it
        part.replace(reference)


def reason(log: Path, status: int) -> str:
    """Why there is no reference, by what was printed, or by the signal that ended its process.

    status: the process's, negative where a signal ended it.
    """
    text = log.read_text(encoding="utf-8", errors="replace")
    if said := last_lines.exception(text) or full_disk():
        return said
    if status == -signal.SIGKILL:
        return "killed (SIGKILL), probably by the kernel for want of memory"
    return signal_name(-status) if status < 0 else "the log says nothing"


if __name__ == "__main__":
    with one_line_errors():
        main(snakemake.params.settings, Path(snakemake.output[0]), Path(snakemake.log[0]))
