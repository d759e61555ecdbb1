"""Rule measurements: the study's CSVs from each run's record, events and telemetry."""

import itertools
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from trainmark.analyse.csv.measurements import write_parquet
from trainmark.analyse.run.events import read as read_events
from trainmark.analyse.run.recording import Labels, read_run
from trainmark.errors import one_line_errors
from trainmark.runs import kept_arrays
from trainmark.study import plugins
from trainmark.terminal import print_message

snakemake: Any  # put here by Snakemake


def main(
    events: str,
    records: Iterable[str],
    labels: Mapping[str, Labels],
    tables: Mapping[str, str],
) -> None:
    """Read the folder of each run.json, and write each CSV by its name, and measurements.parquet.

    `labels` are by run.json; a run without any isn't in them.
    """
    events_of = read_events(Path(events))
    runs = []
    for record in records:
        folder = Path(record).parent
        own_events = events_of.get(str(folder), {})
        runs.append(read_run(folder, own_events, labels.get(record, {})))
    folders = (run.folder for run in runs if run.folder is not None)
    for arrays in itertools.chain.from_iterable(map(kept_arrays.damaged, folders)):
        print_message(f"{arrays} is damaged and left out: delete its folder to have that run again")
    for name in plugins.names("csv"):
        table = plugins.load("csv", name).tabulate(runs)
        table.to_csv(tables[name], index=False)
        if name == "measurements":
            write_parquet(table, Path(tables["parquet"]))


if __name__ == "__main__":
    with one_line_errors():
        main(
            snakemake.input.events,
            snakemake.params.records,
            snakemake.params.labels,
            snakemake.output,
        )
