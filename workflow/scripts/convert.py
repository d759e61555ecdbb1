"""Rule convert: one data set in one format, with its index."""

import logging
from pathlib import Path
from typing import Any

from trainmark.data import unavailable
from trainmark.data.convert import convert
from trainmark.data.errors import DataError
from trainmark.errors import one_line_errors

snakemake: Any  # put here by Snakemake


def main(dataset: str, format_name: str, subset: bool, record: str, index: str, log: str) -> None:
    """Convert what the record lists; the source folder is beside it.

    Of a data set that can't be had, or not be read, the index tells why. What was converted before
    stays: with a new index its runs would be lost, so there the error is one.
    """
    logging.basicConfig(filename=log, level=logging.INFO, format="%(asctime)s %(message)s")
    source, folder = Path(record).with_suffix(""), Path(index).parent
    reason = unavailable.reason(Path(record))
    if reason is None:
        try:
            convert(dataset, source, format_name, folder, subset)
        except DataError as error:
            if folder.exists() and any(folder.iterdir()):
                raise
            reason = str(error)
            print(f"trainmark: {dataset} as {format_name} is unavailable: {reason}", flush=True)
    if reason is not None:
        unavailable.write(Path(index), dataset, reason)


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
