"""Sentences of published studies: their notation, and the verdicts of measurements on them."""

import pandas as pd
import pytest

from trainmark.analyse.published import claim_verdicts, claims
from trainmark.analyse.published.studies import STUDIES
from trainmark.report.tables import claims as table
from trainmark.report.words.writers import table_of, text
from trainmark.study import plugins

LENET = "PyTorch and CNTK show the best results among the five tools for CPU"


def measured_again(values, spread):
    """Values as of three runs, which differ by a share."""
    runs = [values.assign(repeat=1 + n, value=values["value"] * (1 + spread * n)) for n in range(3)]
    return pd.concat(runs, ignore_index=True)


def of(rows, quotation):
    """The row of one claim."""
    return rows[rows["quotation"].str.startswith(quotation)].iloc[0]


@pytest.mark.parametrize("study", STUDIES)
def test_each_claim_names_metrics_frameworks_and_columns_that_there_are(study):
    for claim in claims.of_study(study):
        for comparison in claim.comparisons:
            assert comparison.metric in plugins.names("metric")
            if comparison.axis == "framework":
                known = plugins.names("framework")
                assert {*comparison.greater, *comparison.less} <= set(known)


def test_a_chain_compares_neighbours(thesis):
    claim = next(c for c in claims.of_study("thesis") if "highest values" in c.quotation)
    sides = [(comparison.greater, comparison.less) for comparison in claim.comparisons]
    assert sides[:2] == [(("tensorflow",), ("pytorch",)), (("pytorch",), ("mxnet",))]
    assert claim.statement.startswith("Training speed: tensorflow > pytorch > mxnet")


def test_single_runs_have_no_verdict_on_speeds(thesis):
    row = of(claim_verdicts.verdicts(thesis), LENET)
    assert row["verdict"] == "no interval"
    assert (row["holding"], row["pairs"]) == (0, 6)
    assert (row["as_claimed"], row["measured"]) == (6, 6)
    assert (row["published_holding"], row["published_pairs"]) == (6, 6)


def test_a_claim_holds_where_all_its_pairs_differ_by_their_intervals(thesis):
    row = of(claim_verdicts.verdicts(measured_again(thesis, 0.001)), LENET)
    assert (row["verdict"], row["holding"], row["missing"]) == ("holds", 6, "")


def test_runs_that_differ_as_much_as_frameworks_do_decide_nothing(thesis):
    row = of(claim_verdicts.verdicts(measured_again(thesis, 3)), LENET)
    assert row["verdict"] == "not distinguishable"


def test_one_pair_in_the_other_order_is_enough_against_a_claim(thesis):
    runs = measured_again(thesis, 0.001)
    is_cntk = (runs["framework"] == "cntk") & (runs["case"] == "lenet-mnist")
    slower = runs.assign(value=runs["value"].mask(is_cntk, runs["value"] / 1000))
    row = of(claim_verdicts.verdicts(slower), LENET)
    assert (row["verdict"], row["holding"], row["failing"]) == ("doesn't hold", 3, 3)


def test_what_was_not_measured_is_named(thesis):
    on_cpu = thesis[thesis["device"] == "cpu"]
    rows = claim_verdicts.verdicts(measured_again(on_cpu, 0.001))
    row = of(rows, "using a GPU")
    assert (row["verdict"], row["missing"]) == ("not measured", "device cuda:1")
    assert of(rows, LENET)["verdict"] == "holds"


def test_a_device_may_be_one_of_a_machine(thesis):
    """Printed: 24.7 times on the K20m, 43 times on the P100."""
    row = of(claim_verdicts.verdicts(thesis), "the 24.7 speedup")
    assert (row["published_holding"], row["published_pairs"]) == (1, 1)


def test_two_numbers_of_gpus_are_compared_on_one_machine(thesis):
    """39 cells on two machines."""
    row = of(claim_verdicts.verdicts(thesis), "the more the GPUs are")
    assert row["published_pairs"] == 2 * 39


def test_most_pairs_are_enough_where_a_sentence_says_so(thesis):
    row = of(claim_verdicts.verdicts(measured_again(thesis, 0.001)), "the significantly lack")
    assert row["pairs"] / 2 < row["holding"] < row["pairs"]
    assert row["verdict"] == "holds"


def test_a_sentence_about_speed_memory_and_power_does_not_hold_by_speeds_alone(thesis):
    on_cpu = thesis[thesis["device"] == "cpu"]
    is_small = on_cpu["case"].str.contains("alexnet|googlenet")
    as_claimed = on_cpu["value"].mask(is_small, 100.0).mask(~is_small, 1.0)
    runs = on_cpu.assign(value=as_claimed.where(on_cpu["value"].notna()))
    row = of(claim_verdicts.verdicts(measured_again(runs, 0.001)), "VGG16 and ResNet50")
    assert (row["verdict"], row["failing"]) == ("not measured", 0)
    assert row["missing"] == "device cuda:1; device cuda:2"


@pytest.mark.parametrize(
    ("quotation", "holding", "pairs"),
    [
        ("TensorFlow and Pytorch […]: the second one is a little more", 0, 5),
        ("Caffe loses many points in terms of speed", 16, 20),
    ],
)
def test_a_sentence_may_be_at_odds_with_the_values_beside_it(thesis, quotation, holding, pairs):
    row = of(claim_verdicts.verdicts(thesis), quotation)
    assert (row["published_holding"], row["published_pairs"]) == (holding, pairs)


def test_two_parts_of_a_sentence_have_verdicts_of_their_own():
    """Memory grows with the GPUs, power almost always."""
    shares = {
        comparison.metric: claim.share
        for claim in claims.of_study("thesis")
        if claim.quotation.startswith("the more the GPUs are")
        for comparison in claim.comparisons
    }
    assert shares == {"gpu_memory_mean": None, "gpu_power": 0.9}


def test_other_cases_have_no_claims(recorded):
    digits = recorded[recorded["case"] == "lenet-digits"]
    assert claim_verdicts.verdicts(digits).empty
    assert table.NONE in text(table_of(table, digits))


def test_the_table_quotes_each_sentence_with_what_was_compared(thesis):
    shown = " ".join(text(table_of(table, thesis)).split())
    assert f'"{LENET}" [Training speed: pytorch, cntk > caffe, mxnet, tensorflow' in shown
