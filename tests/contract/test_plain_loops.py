"""The page on plain loops says what the kept rounds of benchmarks/adapters.py say."""

import re
from pathlib import Path

import pandas as pd
import pytest

from trainmark.analyse.compare.statistics import ratio

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "method" / "plain-loops.md").read_text(encoding="utf-8")
ROUNDS = pd.read_csv(ROOT / "benchmarks" / "adapters.csv")
RATIOS = {
    pair: ratio(list(rounds["ours"]), list(rounds["plain"]))
    for pair, rounds in ROUNDS.groupby(["framework", "network", "stage"])
}


@pytest.mark.parametrize(
    "pair",
    [("pytorch", "text_encoder", "infer"), ("jax", "lenet", "infer")],
)
def test_a_ratio_on_the_page_is_that_of_the_rounds(pair):
    estimate = RATIOS[pair]
    assert f"{estimate.value:.2f} ({estimate.low:.2f} to {estimate.high:.2f})" in PAGE


def test_the_page_counts_the_pairs():
    faster = sum(estimate.low > 1 for estimate in RATIOS.values())
    slower = sum(estimate.high < 1 for estimate in RATIOS.values())
    assert re.search(r"Of (\d+) pairs", PAGE)[1] == str(len(RATIOS))
    assert (faster, slower) == (12, 2)
    assert "twelve adapters are faster" in PAGE
    assert f"{len(RATIOS) - faster - slower} not distinguishable, two slower" in PAGE
