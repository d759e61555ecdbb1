"""Rule download: the files of one data set, checked, and the record of what they are."""

import logging
from pathlib import Path
from typing import Any

from trainmark.data import sources, unavailable
from trainmark.data.errors import DataError
from trainmark.data.obtain.addresses import DownloadError
from trainmark.errors import one_line_errors
from trainmark.study.datasets import origin

snakemake: Any  # put here by Snakemake


def main(dataset: str, mirrors: list[str], subset: bool, record: str, log: str) -> None:
    """Bring the files beside the record, which is written last, or say there why they aren't.

    What was converted before stays, of its variants too: with a new record their runs would be
    lost, so there the error is one.
    """
    logging.basicConfig(filename=log, level=logging.INFO, format="%(asctime)s %(message)s")
    try:
        sources.obtain(dataset, Path(record).with_suffix(""), mirrors, subset)
    except (DownloadError, DataError) as error:
        indices = Path(record).parents[1].glob("*/*/dataset.json")
        made = [index for index in indices if origin(index.parents[1].name) == dataset]
        if any(unavailable.reason(index) is None for index in made):
            raise
        print(f"trainmark: the data set {dataset} is unavailable: {error}", flush=True)
        unavailable.write(Path(record), dataset, str(error))


if __name__ == "__main__":
    # The studies of a call share their mirrors.
    machine = next(iter(snakemake.config["studies"].values()))["machine"]
    with one_line_errors():
        main(
            snakemake.wildcards.dataset,
            machine["mirrors"].get(origin(snakemake.wildcards.dataset), []),
            snakemake.params.subset,
            snakemake.output.record,
            snakemake.log[0],
        )
