"""The page on plain loops says what the kept rounds of benchmarks/adapters.py say."""

import re
from pathlib import Path

import pandas as pd

from trainmark.analyse.compare.statistics import ratio

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "method" / "plain-loops.md").read_text(encoding="utf-8")
ROUNDS = pd.read_csv(ROOT / "benchmarks" / "adapters.csv")
RATIOS = {
    pair: ratio(list(rounds["ours"]), list(rounds["plain"]))
    for pair, rounds in ROUNDS.groupby(["framework", "network", "stage"])
}


def test_the_slower_pair_on_the_page_is_that_of_the_rounds():
    [estimate] = [each for each in RATIOS.values() if each.high < 1]
    assert estimate is RATIOS["theano", "alexnet", "infer"]
    assert f"{estimate.ratio:.2f} ({estimate.low:.2f} to {estimate.high:.2f})" in PAGE


def test_the_page_counts_the_pairs():
    faster = sum(estimate.low > 1 for estimate in RATIOS.values())
    slower = sum(estimate.high < 1 for estimate in RATIOS.values())
    assert re.search(r"Of (\d+) pairs", PAGE)[1] == str(len(RATIOS))
    others = len(RATIOS) - faster - slower
    assert f"{faster} adapters are faster, {others} not distinguishable, one slower" in PAGE
    assert slower == 1
    near = sum(estimate.low > 0.9 for estimate in RATIOS.values())
    assert f"{near} intervals exclude 0.9" in PAGE


def test_the_page_says_which_networks_are_compared_in_which_frameworks():
    frameworks = ROUNDS.groupby(["network", "stage"])["framework"].nunique().unstack()
    assert (frameworks.loc[["lenet", "alexnet", "resnet50"]] == 8).all(axis=None)
    assert (frameworks.loc[["resnet20", "mobilenet_v2", "text_encoder"]] == 4).all(axis=None)
