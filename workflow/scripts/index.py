"""Rule index: the page of all studies, and the same table as text."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from trainmark.analyse.compare.configurations import main_values
from trainmark.analyse.csv import read
from trainmark.analyse.published.claim_verdicts import verdicts
from trainmark.errors import one_line_errors
from trainmark.files import write_text
from trainmark.report.page import index
from trainmark.report.words.writers import write
from trainmark.study import plugins

snakemake: Any  # put here by Snakemake


def studies(
    paths: Sequence[str], described: Mapping[str, Mapping[str, Any]]
) -> Iterator[index.Study]:
    """The studies, from each measurements.parquet and what the set says of the study."""
    for path, (name, facts) in zip(paths, described.items(), strict=True):
        published = None
        if facts["reproduces"]:
            title = plugins.facts("published study", facts["reproduces"])["TITLE"]
            published = title, f"published/{facts['reproduces']}/report.html"
        table = read(Path(path))
        claims = verdicts(table)
        claims = claims[claims["study"] == facts["reproduces"]]
        page = f"{name}/report.html"
        yield index.Study(name, main_values(table), page, published, facts["note"], claims)


if __name__ == "__main__":
    with one_line_errors():
        rows = list(studies(snakemake.input.measurements, snakemake.params.studies))
        write_text(index.html(rows), Path(snakemake.output.page))
        write(index.table(rows), Path(snakemake.output.text))
