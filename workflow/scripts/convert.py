"""Rule convert: one data set in one format, with its index."""

import logging
from pathlib import Path
from typing import Any

from trainmark.data.convert import convert
from trainmark.errors import one_line_errors

snakemake: Any  # put here by Snakemake


def main(dataset: str, format_name: str, subset: bool, record: str, index: str, log: str) -> None:
    """Convert what the record lists; the source folder is beside it."""
    logging.basicConfig(filename=log, level=logging.INFO, format="%(asctime)s %(message)s")
    source = Path(record).with_suffix("")
    convert(dataset, source, format_name, Path(index).parent, subset)


if __name__ == "__main__":
    with one_line_errors():
        main(
            snakemake.wildcards.dataset,
            snakemake.wildcards.format,
            snakemake.params.subset,
            snakemake.input.record,
            snakemake.output.index,
            snakemake.log[0],
        )
