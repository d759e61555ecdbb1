"""Rule published_set: the values of a published study on one machine, as measurements."""

from pathlib import Path
from typing import Any

from trainmark.analyse.published.result_sets import result_set
from trainmark.analyse.published.studies import STUDIES
from trainmark.errors import one_line_errors

snakemake: Any  # put here by Snakemake


def main(study: str, name: str, folder: Path, output: Path) -> None:
    """Write the measurements of one of the study's result sets."""
    result_set(STUDIES[study](folder), name).to_csv(output, index=False)


if __name__ == "__main__":
    with one_line_errors():
        main(
            snakemake.wildcards.published,
            snakemake.wildcards.result_set,
            Path(snakemake.params.folder),
            Path(snakemake.output[0]),
        )
