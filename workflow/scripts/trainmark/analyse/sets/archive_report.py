"""What a reader should know of an archive that is to be published: its faults, and remarks.

usage: python -m trainmark.analyse.sets.archive_report ARCHIVE …

Prints Markdown, and ends with 1 where an archive has faults. An archive is only read, as data.
"""

import argparse
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pandas as pd

from trainmark.analyse.compare.comparison import shared_differences, without
from trainmark.analyse.compare.configurations import main_values
from trainmark.analyse.compare.pairs import differing
from trainmark.analyse.compare.statistics import FEWEST_REPEATS
from trainmark.analyse.sets import fit, kept, merged, result_set
from trainmark.analyse.sets.result_set import ResultSet
from trainmark.errors import TrainmarkError
from trainmark.runs.provenance import CODE
from trainmark.study.axes import key


def remarks(results: ResultSet, others: Sequence[ResultSet]) -> Iterator[str]:
    """Disturbances, few repeats, missing values, unknown revisions; other archives' verdicts."""
    disturbed = sum(bool(record["disturbed"]) for record in results.records)
    if disturbed:
        yield f"{disturbed} of {len(results.records)} runs were disturbed in every attempt"
    for revision in dict.fromkeys(run["provenance"]["revision"] for run in results.records):
        if not _is_known(revision):
            yield f"its revision isn't in this repository: {revision}"
    for row in main_values(results.measurements).to_dict("records"):
        name = "/".join(key(row))
        if row["n"] and row["n"] < FEWEST_REPEATS:
            yield f"{name}: fewer than {FEWEST_REPEATS} repeats, {row['n']}"
        if not row["n"] or not pd.isna(row["remark"]):
            yield f"{name}: {row['status'] if pd.isna(row['remark']) else row['remark']}"
    yield from _beside(results, others)


def _is_known(revision: str) -> bool:
    command = ["git", "-C", str(CODE), "cat-file", "-e", f"{revision}^{{commit}}"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def _beside(results: ResultSet, others: Sequence[ResultSet]) -> Iterator[str]:
    """The ratios to the first other archive that has the configuration on the same hardware.

    Where something else differs, they say what, and aren't counted as differences. What differs in
    all of an archive's configurations is said once.
    """
    known = merged.sources([*others, results])["known"].iloc[-1]
    if known:
        yield f"{known} of its values are in another archive already"
    table = merged.merged([*others, results])
    compared = table[(table["source"] == len(others) + 1) & table["beside"].notna()]
    for _, rows in compared.groupby("beside", sort=False):
        place = "/".join(Path(others[rows["beside"].iloc[0] - 1].place).parts[-2:])
        texts = rows["differences"].astype(object).fillna("")
        shared = shared_differences(texts)
        if shared:
            yield f"{place} differs in all of these: {'; '.join(shared)}"
        for row, text in zip(rows.to_dict("records"), texts, strict=True):
            rest = without(text, shared)
            besides = f" ({rest})" if rest else ""
            yield f"{'/'.join(key(row))}: {row['ratio']:.2f} times {place}{besides}"
    alike = compared[compared["differences"].isna() & compared["low"].notna()]
    if len(alike):
        yield f"{differing(alike)} of {len(alike)} differ significantly from another archive"


def report(path: Path) -> tuple[list[str], list[str]]:
    """The faults and the remarks of an archive, one line each."""
    try:
        if faults := list(fit.faults(path)):
            return faults, []
        results = result_set.read(path)
        # Those of the same study first: they have the same settings.
        others = sorted(
            (other for other in kept.paths() if other != path.resolve()),
            key=lambda other: (other.parent.name != path.resolve().parent.name, other),
        )
        return [], list(remarks(results, [result_set.read(other) for other in others]))
    except (TrainmarkError, OSError) as error:
        return [str(error)], []


def main(paths: Sequence[Path]) -> bool:
    """Print the report of each archive; returns whether all are fit."""
    is_fit = True
    for path in paths:
        faults, notes = report(path)
        is_fit = is_fit and not faults
        print(_code(f"{path}: {'not ' if faults else ''}fit to be published"))
        for line in faults or notes:
            print(_code(f"- {line}"))
        print()
    return is_fit


def _code(text: str) -> str:
    """A line of a code block, in which Markdown from an archive stays text."""
    return f"    {' '.join(text.split())}"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Report on archives that are to be published.")
    parser.add_argument("archives", type=Path, nargs="+")
    sys.exit(not main(parser.parse_args().archives))
