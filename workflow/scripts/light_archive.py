"""Rule light_archive: the study's measurements and runs, small enough to be published."""

import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from trainmark.analyse.sets import light
from trainmark.analyse.sets.labels import labels
from trainmark.errors import one_line_errors
from trainmark.packed import archive

snakemake: Any  # put here by Snakemake


def main(study: str, folder: Path, paths: Sequence[Path], output: Path) -> None:
    """Pack the light form of the results in a folder, whose runs have these run.json."""
    records = {path.parent: json.loads(path.read_bytes()) for path in paths}
    about = labels(study, paths)
    machine = light.machine_label(records[paths[0].parent]["provenance"])
    with tempfile.TemporaryDirectory() as place:
        files = light.write(folder, records, Path(place))
        archive.pack(files, {**about, "Measured-On": machine}, output)
    day = about["Measured"].rpartition(" ")[2]
    print(
        f"{output}: {len(records)} runs, {output.stat().st_size:,} bytes; publish it as "
        f"resources/results/{study}/{day}-{machine}.zip",
        flush=True,
    )


if __name__ == "__main__":
    with one_line_errors():
        main(
            snakemake.params.study,
            Path(snakemake.input.events).parent,
            [Path(record) for record in snakemake.input.records],
            Path(snakemake.output.archive),
        )
