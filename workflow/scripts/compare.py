"""Rule compare: print the comparison; exit status 1 where a configuration became surely slower."""

import sys
from pathlib import Path
from typing import Any

from trainmark.analyse import measurements
from trainmark.analyse.comparison import slower_by

snakemake: Any  # put here by Snakemake


def main(text: Path, numbers: Path, tolerance_percent: float) -> list[str]:
    """Print the table; the configurations that are surely slower by more than the tolerance."""
    print(text.read_text(encoding="utf-8"))
    return [
        f"{row.case}, {row.framework}, {row.device}: at least {slower_by(row):.1f} % slower"
        for row in measurements.read(numbers).itertuples()
        if slower_by(row) > tolerance_percent
    ]


if __name__ == "__main__":
    found = snakemake.input
    slower = main(Path(found.text), Path(found.numbers), snakemake.params.tolerance_percent)
    for line in slower:
        print(f"trainmark: {line}", file=sys.stderr)
    sys.exit(1 if slower else 0)
