"""Rule adopted: the speeds that logs from elsewhere state, as a result set and a table."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from trainmark.analyse.csv.measurements import write_parquet
from trainmark.analyse.sets import adopted
from trainmark.errors import one_line_errors
from trainmark.report.compare import adopted as report
from trainmark.report.words.writers import write_table

snakemake: Any  # put here by Snakemake


def main(
    study: str,
    logs: Mapping[str, Mapping[str, Any]],
    measurements: Path,
    parquet: Path,
    tables: Iterable[str],
) -> None:
    """Read each log once, and write what it states."""
    speeds = adopted.speeds(study, logs)
    table = adopted.measurements(speeds)
    table.to_csv(measurements, index=False)
    write_parquet(table, parquet)
    write_table(report.table(speeds), tables)


if __name__ == "__main__":
    with one_line_errors():
        main(
            snakemake.params.study,
            snakemake.params.logs,
            Path(snakemake.output.measurements),
            Path(snakemake.output.parquet),
            snakemake.output.tables,
        )
