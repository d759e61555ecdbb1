"""Find the release of a framework that changed its speed, or that first failed.

usage: python -m trainmark.bisect FRAMEWORK FROM TO CASE FILE …

The files are those of a study with the case. Each round is a call of Snakemake, which measures one
release more; what was measured before, stays.
"""

import argparse
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import yaml

from trainmark.analyse.compare import bisection
from trainmark.environments.commands import clean_environment
from trainmark.errors import TrainmarkError, one_line_errors, unknown
from trainmark.parent import attached
from trainmark.report.tables import releases as table
from trainmark.report.words import writers
from trainmark.study import builds, releases
from trainmark.study.config import study_file

OF_OTHERS = ("frameworks", "trained_by", "attacked_by", "attacks", "corruptions")
"""Keys of a case that name its frameworks, or need runs of other stages."""
OVERLAY = Path("results/bisect.yaml")
SENTENCE = "{series} {release} ({released:%Y-%m-%d}) {what}"


def main() -> None:
    """Read the command line, and measure until no release is left between two that differ."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("framework", help="a framework with a table in envs/releases/")
    parser.add_argument("first", help="a release")
    parser.add_argument("last", help="a later one that differs")
    parser.add_argument("case", help="the study's case to be measured")
    parser.add_argument("files", nargs="+", type=Path, help="the files of the study")
    arguments = parser.parse_args()
    numbers = between(arguments.framework, arguments.first, arguments.last)
    measured = [numbers[0], numbers[-1]]
    while True:
        rows = measure(arguments.framework, measured, arguments.case, arguments.files)
        change = bisection.change(rows)
        middle = change.middle(numbers, measured)
        if middle is None:
            break
        measured = [number for number in numbers if number in (*measured, middle)]
    print(table_text(rows))
    print(f"\n{sentence(rows, change)}")


def between(framework: str, first: str, last: str) -> list[str]:
    """The releases from the first to the last, by their days; raises TrainmarkError."""
    known = releases.with_table(releases.ENVIRONMENTS)
    if framework not in known:
        raise TrainmarkError(unknown("framework with releases", framework, known))
    of_framework = releases.read(releases.path(framework, releases.ENVIRONMENTS))
    numbers = [release.number for release in of_framework.values()]
    for number in (first, last):
        if number not in numbers:
            raise TrainmarkError(f"{framework}: {unknown('release', number, numbers)}")
    ends = numbers.index(first), numbers.index(last)
    if ends[0] >= ends[1]:
        raise TrainmarkError(f"{framework} {first} isn't older than {last}: FROM is the older one")
    return numbers[ends[0] : ends[1] + 1]


def measure(
    framework: str, numbers: Sequence[str], case: str, files: Sequence[Path]
) -> pd.DataFrame:
    """Measure some releases in one case; their rows of the table of releases.

    Raises TrainmarkError where Snakemake fails, which says why, and where the files have no such
    case.
    """
    content = overlay(framework, numbers, case, files)
    OVERLAY.parent.mkdir(exist_ok=True)
    OVERLAY.write_text(yaml.safe_dump(content), encoding="utf-8")
    snakemake = Path(sys.executable).with_name("snakemake")
    path = f"results/{content['study']}/tables/releases.csv"
    command: list[str | Path] = [snakemake, "--configfile", *files, OVERLAY, "--", path]
    if subprocess.run(attached(*command), env=clean_environment()).returncode:
        raise TrainmarkError("bisect: Snakemake ended with an error; its last lines say why")
    rows = pd.read_csv(path, parse_dates=["released"], dtype={"release": str, "than": str})
    return bisection.of_one_point(rows)


def overlay(
    framework: str, numbers: Sequence[str], case: str, files: Sequence[Path]
) -> dict[str, Any]:
    """What is laid over a study's files, so that some releases alone train one of its cases.

    Raises TrainmarkError where the files have no such case.
    """
    cases = cases_of(files)
    if case not in cases:
        raise TrainmarkError(unknown("case", case, cases))
    return {
        "study": f"bisect-{framework}-{case}",
        "frameworks": [
            {
                "framework": framework,
                "adapter": builds.framework(framework),
                "environment": framework,
                "releases": list(numbers),
            }
        ],
        "cases": {name: dict.fromkeys(OF_OTHERS) if name == case else None for name in cases},
        "stages": ["train"],
        "overrides": _overrides_of(files, case),
        "exclude": [],
        "enough": None,
        "tables": ["releases"],
    }


def _overrides_of(files: Sequence[Path], case: str) -> list[Mapping[str, Any]]:
    """The study's overrides of a case, or of its training, in every framework.

    One without `where` is among them, so that the check of the study refuses it.
    """
    overrides: list[Mapping[str, Any]] = []
    for content in map(study_file.read, files):
        overrides = content.get("overrides", overrides) or []
    wanted = {"case": case, "stage": "train"}
    return [each for each in overrides if (each.get("where") or {}).items() <= wanted.items()]


def cases_of(files: Sequence[Path]) -> list[str]:
    """The names of a study's cases; raises TrainmarkError where it has none."""
    cases: dict[str, Any] = {}
    for file in files:
        of_file = study_file.read(file).get("cases") or {}
        if not isinstance(of_file, dict):
            raise TrainmarkError(f"{file}: cases: {of_file!r} is no mapping of cases")
        cases |= {str(name): settings for name, settings in of_file.items()}
    names = [name for name, settings in cases.items() if settings is not None]
    if not names:
        raise TrainmarkError(f"no cases in {' '.join(map(str, files))}: STUDY is that of one study")
    return names


def table_text(rows: pd.DataFrame) -> str:
    """The table of what was measured."""
    return writers.text(
        writers.Table(table.TITLE, rows, table.show(rows), table.BLOCK, table.notes(rows))
    )


def sentence(rows: pd.DataFrame, change: bisection.Change) -> str:
    """What changed, in one line."""
    row = rows.set_index("release").loc[change.after]
    before = f"{row['series']} {change.before}"
    works = rows.set_index("release")["n"] == rows.set_index("release")["repeats"]
    if works[change.before] and not works[change.after]:
        what = f"is the first after {change.before} of which runs have no value: {row['remark']}"
    elif works[change.after] and not works[change.before]:
        what = f"is the first after {change.before} of which all runs have a value"
    else:
        numbers = list(rows["release"])
        skipped = numbers[numbers.index(change.before) + 1 : numbers.index(change.after)]
        without = f"; between them {', '.join(skipped)} without a value" if skipped else ""
        interval = f"95 % interval {row['low']:.3f} to {row['high']:.3f}"
        what = f"beside {before}: {row['verdict']}, ratio {row['ratio']:.3f}, {interval}{without}"
    return SENTENCE.format(what=what, release=change.after, **row[["series", "released"]])


if __name__ == "__main__":
    with one_line_errors():
        main()
