"""Rule archive: the study's measurements and runs in one archive, with their origin."""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from trainmark.analyse.run.hardware import hardware
from trainmark.analyse.sets.merged import origin
from trainmark.errors import one_line_errors
from trainmark.packed import archive
from trainmark.runs.measure import files_of
from trainmark.runs.provenance import versions
from trainmark.runs.records import read

snakemake: Any  # put here by Snakemake


def main(study: str, measurements: Path, records: Sequence[Path], output: Path) -> None:
    """Pack a measurements.csv and the files of the runs of the run.json files."""
    folder = measurements.parent
    paths = [measurements, *(path for record in records for path in files_of(record.parent))]
    files = {path.relative_to(folder).as_posix(): path for path in paths}
    archive.pack(files, about(study, records), output)
    digest = hashlib.sha256(output.read_bytes()).hexdigest()
    size = output.stat().st_size
    print(f"{output}: {len(records)} runs, {size:,} bytes, SHA-256 {digest}", flush=True)


def about(study: str, records: Sequence[Path]) -> dict[str, str]:
    """What the archive says of itself, in BagIt's labels where it has one."""
    runs = [read(path) for path in records]
    machines = dict.fromkeys(hardware(run["provenance"]) for run in runs)
    measured = origin(runs)
    return {
        "External-Identifier": study,
        "External-Description": f"Results of trainmark's study {study} on {'; '.join(machines)}",
        "Bag-Software-Agent": f"trainmark {versions()['trainmark']}",
        "Measured-On": measured["hosts"],
        "Measured": measured["measured"],
    }


if __name__ == "__main__":
    with one_line_errors():
        main(
            snakemake.params.study,
            Path(snakemake.input.measurements),
            [Path(record) for record in snakemake.input.records],
            Path(snakemake.output.archive),
        )
