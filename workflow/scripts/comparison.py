"""Rule comparison: the study's results beside those of a baseline, as table and figure."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from trainmark.analyse import comparison, measurements
from trainmark.errors import TrainmarkError, one_line_errors
from trainmark.report import comparison as report
from trainmark.report import style
from trainmark.report.writers import write

snakemake: Any  # put here by Snakemake


class NoBaseline(TrainmarkError):
    """A folder that isn't a study's results."""


def records(folder: Path) -> list[dict[str, Any]]:
    """The run.json of all runs of a result set; none where only its measurements were kept."""
    return [
        json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.rglob("run.json"))
    ]


def main(now: Path, baseline: Path, tables: Iterable[str], figures: Iterable[str]) -> None:
    """Compare two folders of results; raises NoBaseline."""
    if not (baseline / "measurements.csv").is_file():
        raise NoBaseline(
            f"baseline={baseline} holds no measurements.csv: give the folder of a study's results"
        )
    explained = comparison.differences(records(now / "runs"), records(baseline / "runs"))
    after, before = (measurements.read(path / "measurements.csv") for path in (now, baseline))
    numbers = comparison.compare(after, before, explained)
    for output in tables:
        write(report.table(numbers), Path(output))
    with style.applied():
        figure = report.figure(numbers)
        for output in figures:
            style.save(figure, numbers, Path(output))


if __name__ == "__main__":
    with one_line_errors():
        main(
            Path(snakemake.input.measurements).parent,
            Path(snakemake.params.baseline),
            snakemake.output.tables,
            snakemake.output.figures,
        )
