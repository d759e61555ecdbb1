"""Rule light_archive: the study's measurements and runs, small enough to be published."""

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from trainmark.analyse.sets import kept, light
from trainmark.analyse.sets.labels import FULL_LABEL, labels
from trainmark.errors import one_line_errors
from trainmark.files import file_digest
from trainmark.packed import archive
from trainmark.runs.records import read

snakemake: Any  # put here by Snakemake


def main(
    config: Mapping[str, Any],
    csvs: Sequence[Path],
    events: Path,
    paths: Sequence[Path],
    full: Path,
    output: Path,
) -> None:
    """Pack the light form of a study, of its CSVs and of its runs, which have these run.json.

    It names the SHA-256 of the full archive, which may be published elsewhere.
    """
    study = str(config["study"])
    records = {path.parent: read(path) for path in paths}
    about = {**labels(study, list(records.values())), FULL_LABEL: file_digest(full)}
    machines = light.machines_label(records.values())
    with tempfile.TemporaryDirectory() as place:
        files = light.write(config, csvs, events, records, Path(place))
        archive.pack(files, {**about, "Measured-On": machines}, output)
    name = kept.free_name(study, kept.label(list(records.values())))
    disturbed = sum(bool(record["disturbed"]) for record in records.values())
    print(
        f"{output}: {len(records)} runs, {disturbed} disturbed, {output.stat().st_size:,} bytes; "
        f"publish it as resources/results/{study}/{name}.zip",
        flush=True,
    )


if __name__ == "__main__":
    with one_line_errors():
        main(
            snakemake.params.config,
            [Path(table) for table in snakemake.input.csvs],
            Path(snakemake.input.events),
            [Path(record) for record in snakemake.input.records],
            Path(snakemake.input.full),
            Path(snakemake.output.archive),
        )
