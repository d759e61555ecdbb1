"""Published results are fit: each archive agrees with itself and names no folder or host."""

from pathlib import Path

import pytest

from trainmark.analyse.sets import fit

RESULTS = Path(__file__).parents[2] / "resources" / "results"
ARCHIVES = sorted(RESULTS.glob("*/*.zip"))


@pytest.mark.parametrize("archive", ARCHIVES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_an_archive_is_fit(archive):
    assert list(fit.faults(archive)) == []
