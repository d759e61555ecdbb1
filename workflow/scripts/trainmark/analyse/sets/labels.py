"""What an archive of results says of itself, in BagIt's labels where it has one."""

from collections.abc import Sequence

from trainmark.analyse.run.hardware import hardware
from trainmark.analyse.sets.merged import origin
from trainmark.runs.formats import Record
from trainmark.runs.provenance import versions

FULL_LABEL = "Full-Archive-SHA-256"
"""Of a light archive: the digest of the one with logs and telemetry that was packed beside it."""


def labels(study: str, records: Sequence[Record]) -> dict[str, str]:
    """The labels and values of a study's archive; `records` are those of its runs."""
    return {"Bag-Software-Agent": f"trainmark {versions()['trainmark']}", **of_runs(study, records)}


def of_runs(study: str, records: Sequence[Record]) -> dict[str, str]:
    """Those labels that follow from the runs."""
    machines = dict.fromkeys(hardware(record["provenance"]) for record in records)
    measured = origin(records)
    return {
        "External-Identifier": study,
        "External-Description": f"Results of trainmark's study {study} on {'; '.join(machines)}",
        "Measured-On": measured["hosts"],
        "Measured": measured["measured"],
    }
