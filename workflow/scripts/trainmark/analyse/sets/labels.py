"""What an archive of results says of itself, in BagIt's labels where it has one."""

from collections.abc import Sequence
from pathlib import Path

from trainmark.analyse.run.hardware import hardware
from trainmark.analyse.sets.merged import origin
from trainmark.runs.provenance import versions
from trainmark.runs.records import read


def labels(study: str, records: Sequence[Path]) -> dict[str, str]:
    """The labels and values of a study's archive; `records` are the run.json of its runs."""
    runs = [read(path) for path in records]
    machines = dict.fromkeys(hardware(run["provenance"]) for run in runs)
    measured = origin(runs)
    return {
        "External-Identifier": study,
        "External-Description": f"Results of trainmark's study {study} on {'; '.join(machines)}",
        "Bag-Software-Agent": f"trainmark {versions()['trainmark']}",
        "Measured-On": measured["hosts"],
        "Measured": measured["measured"],
    }
