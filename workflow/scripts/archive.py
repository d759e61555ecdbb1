"""Rule archive: the study's measurements and runs in one archive, with their origin."""

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from trainmark.analyse.sets import shared_study
from trainmark.analyse.sets.labels import labels
from trainmark.errors import one_line_errors
from trainmark.files import file_digest
from trainmark.packed import archive
from trainmark.runs.measure import files_of
from trainmark.runs.records import read

snakemake: Any  # put here by Snakemake


def main(
    config: Mapping[str, Any], measurements: Path, records: Sequence[Path], output: Path
) -> None:
    """Pack a study, its measurements.csv and the files of the runs of the run.json files."""
    folder = measurements.parent
    paths = [measurements, *(path for record in records for path in files_of(record.parent))]
    files = {path.relative_to(folder).as_posix(): path for path in paths}
    about = labels(config["study"], list(map(read, records)))
    with tempfile.TemporaryDirectory() as place:
        study = Path(place, shared_study.FILE)
        study.write_text(shared_study.text(config), encoding="utf-8")
        archive.pack({**files, study.name: study}, about, output)
    digest = file_digest(output)
    size = output.stat().st_size
    print(f"{output}: {len(records)} runs, {size:,} bytes, SHA-256 {digest}", flush=True)


if __name__ == "__main__":
    with one_line_errors():
        main(
            snakemake.params.config,
            Path(snakemake.input.measurements),
            [Path(record) for record in snakemake.input.records],
            Path(snakemake.output.archive),
        )
