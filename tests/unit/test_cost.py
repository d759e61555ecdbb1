"""What images cost: by the price that a study states of a machine, and by published GPUs'."""

import pytest
from examples import LENET
from small_study import make, params

from trainmark.analyse.published.result_sets import measurements
from trainmark.analyse.published.studies import published
from trainmark.analyse.run.metrics.cost import images_per_dollar, speed_per_1000_usd
from trainmark.analyse.run.recording import Absent, Run
from trainmark.study.config.errors import StudyError

WINDOW = {
    "window_start": {"time_seconds": 10.0},
    "window_end": {"time_seconds": 14.0, "images": 400},
}
"""400 images in four seconds: 100 images/s."""


def run(*, stage="train", events=WINDOW, **price):
    return Run({"job": {**LENET, "stage": stage}}, events, price=price)


def test_a_rent_of_3_dollars_an_hour_buys_120_000_images_a_dollar():
    """100 images/s are 360,000 an hour."""
    assert images_per_dollar(run(usd_per_hour=3)) == pytest.approx(120_000)


@pytest.mark.parametrize("stage", ["train", "infer", "gradients"])
def test_a_machine_of_2_500_dollars_does_40_images_a_second_per_1_000_dollars(stage):
    assert speed_per_1000_usd(run(stage=stage, usd=2500)) == pytest.approx(40)


@pytest.mark.parametrize(
    ("metric", "measured", "reason"),
    [
        (images_per_dollar, run(usd=2500), r"states no price\.usd_per_hour of the machine"),
        (speed_per_1000_usd, run(usd_per_hour=3), r"states no price\.usd of the machine"),
        (images_per_dollar, run(usd_per_hour=3, events={}), "has no window_end event"),
        (images_per_dollar, run(usd_per_hour=3, stage="generate"), "which counts tokens"),
    ],
)
def test_what_cannot_be_told_is_absent_with_the_reason(metric, measured, reason):
    with pytest.raises(Absent, match=reason):
        metric(measured)


def test_a_machine_has_its_own_price_or_that_of_all():
    rented = {"price": {"usd_per_hour": 3.06}}
    study = make(machine={"price": {"usd": 2500}}, machines={"rented": rented, "ours": {}})
    prices = {
        run.settings["machine_name"]: study.labels(run)["price"] for run in study.runs.values()
    }
    assert prices == {"rented": {"usd_per_hour": 3.06}, "ours": {"usd": 2500}}


def test_a_study_without_a_price_states_none_and_another_price_measures_nothing_again():
    free, dear = make(), make(machine={"price": {"usd": 2500}})
    assert not any(free.labels(run) for run in free.runs.values())
    assert params(free) == params(dear)


@pytest.mark.parametrize(
    ("price", "message"),
    [
        ({"usd": 0}, r"^machine\.price\.usd: 0 is not above 0"),
        ({"eur": 2500}, r"^machine\.price: unknown key 'eur'.*; known: usd, usd_per_hour"),
    ],
)
def test_a_price_that_is_none_is_refused_in_one_line(price, message):
    with pytest.raises(StudyError, match=message):
        make(machine={"price": price})


@pytest.fixture(scope="module")
def gradients():
    """Published values of VGG-16's gradients in float32 by PyTorch: 16 images a call."""
    table = measurements(published("latency"))
    is_chosen = (table["network"] == "vgg16") & (table["framework"] == "pytorch")
    is_chosen &= (table["precision"] == "float32") & (table["stage"] == "gradients")
    return table[is_chosen].set_index(["machine_name", "metric"])["value"]


@pytest.mark.parametrize(
    ("machine", "metric", "value"),
    [
        # 131.9 ms a call are 121.304 images/s, and 699 USD: 121.304 / 0.699.
        ("gtx_1080_ti-cuda9", "speed_per_1000_usd", 173.54),
        # 102.9 ms are 155.491 images/s, and 1,299 USD.
        ("rtx_2080_ti-cuda9", "speed_per_1000_usd", 119.70),
        # 108.8 ms are 147.059 images/s, and 2,999 USD.
        ("titan_v-cuda9", "speed_per_1000_usd", 49.036),
        # 83.5 ms are 191.617 images/s, 689,820 an hour, for 3.06 USD.
        ("tesla_v100-cuda9", "images_per_dollar", 225_431),
    ],
)
def test_published_gpus_cost_what_was_published(gradients, machine, metric, value):
    assert gradients[machine, metric] == pytest.approx(value, rel=1e-4)


def test_a_gpu_whose_price_was_not_published_has_no_value_by_it(gradients):
    assert ("tesla_v100-cuda9", "speed_per_1000_usd") not in gradients
    assert ("titan_v-cuda9", "images_per_dollar") not in gradients
