"""Rule measurements: tidy tables from each run's record, events and telemetry."""

import itertools
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

from trainmark.analyse import adversarial, attacks, latencies, measurements, sources
from trainmark.analyse.trained import corruptions, disagreements
from trainmark.errors import one_line_errors
from trainmark.runs import kept_arrays
from trainmark.terminal import print_message

snakemake: Any  # put here by Snakemake

OTHERS = {
    "steps": measurements.tabulate_steps,
    "losses": measurements.tabulate_losses,
    "accuracies": measurements.tabulate_accuracies,
    "latencies": latencies.tabulate,
    "corruptions": corruptions.tabulate,
    "attacks": attacks.tabulate,
}


def main(
    events: str,
    records: Iterable[str],
    losing_evaluation: Collection[str],
    targets: Mapping[str, float],
    default_of: Mapping[str, str],
    tables: Mapping[str, str],
) -> None:
    """Measure each run whose run.json is given; one that told no event has none."""
    with Path(events).open(encoding="utf-8") as lines:
        told = measurements.events_by_folder(lines)
    folders = {record: str(Path(record).parent) for record in records}
    by_folder = {
        folder: measurements.read_run(
            Path(folder), told.get(folder, {}), record in losing_evaluation, targets.get(record)
        )
        for record, folder in folders.items()
    }
    for damaged in itertools.chain.from_iterable(map(kept_arrays.damaged, map(Path, by_folder))):
        print_message(
            f"{damaged} is damaged and left out: delete its folder to have that run again"
        )
    runs = list(by_folder.values())
    table = measurements.tabulate(runs, default_of)
    table.to_csv(tables["measurements"], index=False)
    sources.write_parquet(table, Path(tables["parquet"]))
    for name, tabulate in OTHERS.items():
        tabulate(runs).to_csv(tables[name], index=False)
    disagreements.tabulate(by_folder).to_csv(tables["disagreements"], index=False)
    made = adversarial.tabulate(runs, map(Path, folders.values()))
    made.to_csv(tables["adversarial"], index=False)


if __name__ == "__main__":
    with one_line_errors():
        main(
            snakemake.input.events,
            snakemake.params.records,
            set(snakemake.params.losing_evaluation),
            snakemake.params.targets,
            snakemake.params.default_of,
            snakemake.output,
        )
