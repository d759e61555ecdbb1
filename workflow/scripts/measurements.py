"""Rule measurements: tidy tables from each run's record, events and telemetry."""

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

from trainmark.analyse import latencies
from trainmark.analyse.measurements import events_by_folder, read_run, tabulate, tabulate_steps
from trainmark.errors import one_line_errors

snakemake: Any  # put here by Snakemake


def main(
    events: str,
    records: Iterable[str],
    losing_evaluation: Collection[str],
    default_of: Mapping[str, str],
    measurements: str,
    steps: str,
    calls: str,
) -> None:
    """Measure each run whose run.json is given; one that told no event has none."""
    with Path(events).open(encoding="utf-8") as lines:
        told = events_by_folder(lines)
    folders = {record: str(Path(record).parent) for record in records}
    runs = [
        read_run(Path(folder), told.get(folder, {}), record in losing_evaluation)
        for record, folder in folders.items()
    ]
    tabulate(runs, default_of).to_csv(measurements, index=False)
    tabulate_steps(runs).to_csv(steps, index=False)
    latencies.tabulate(runs).to_csv(calls, index=False)


if __name__ == "__main__":
    with one_line_errors():
        main(
            snakemake.input.events,
            snakemake.input.records,
            set(snakemake.params.losing_evaluation),
            snakemake.params.default_of,
            *snakemake.output,
        )
