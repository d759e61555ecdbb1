"""Rule compare: print the comparison; exit status 1 where one is significantly worse."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from trainmark.analyse.compare.comparison import worsening
from trainmark.analyse.csv import measurements
from trainmark.terminal import print_message

snakemake: Any  # put here by Snakemake


def worse(numbers: Path, tolerance_percent: float) -> Iterator[str]:
    """Each configuration that became worse, and how."""
    for row in measurements.read(numbers).itertuples():
        reason = worsening(row, tolerance_percent)
        if reason:
            yield f"{row.case}, {row.framework}, {row.device}: {reason}"


if __name__ == "__main__":
    text = Path(snakemake.input.text)
    print(text.read_text(encoding="utf-8"))
    print(f"Table, figure and page: {text.parent}/", flush=True)
    lines = list(worse(Path(snakemake.input.numbers), snakemake.params.tolerance_percent))
    for line in lines:
        print_message(line)
    sys.exit(1 if lines else 0)
