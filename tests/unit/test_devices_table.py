"""The table of devices of the recorded study, which was measured without any GPU."""

import pytest

from trainmark.report.tables import devices
from trainmark.report.words.writers import table_of

NO_VALUES = (
    "No values: Mean GPU memory, Peak GPU memory, GPU utilisation, GPU power (no GPU was used); "
    "Idle GPU power (no GPU was used, or its power can't be read); "
    "Energy per 1,000 images, Speed per watt (the processors' energy counters are not readable)."
)


@pytest.fixture
def table(recorded):
    return table_of(devices, recorded)


def test_metrics_without_any_value_are_a_note_with_their_reason(table):
    assert NO_VALUES in table.notes
    assert list(table.shown["metric"].unique()) == [
        "Training speed (images/s)",
        "Top-1 accuracy (%)",
        "Parity error (relative)",
    ]


def test_the_numbers_hold_every_metric_of_every_configuration(table):
    rows = table.numbers.groupby("metric").size()
    assert set(rows.index) == {"training_speed", *devices.METRICS}
    assert set(rows) == {8}


def test_one_value_is_enough_to_be_shown(recorded):
    one = (recorded["metric"] == "gpu_power").idxmax()
    measured = recorded.assign(value=recorded["value"].mask(recorded.index == one, 100.0))
    table = table_of(devices, measured)
    assert "GPU power (W)" in set(table.shown["metric"])
    assert "No values: Mean GPU memory, Peak GPU memory, GPU utilisation (no GPU" in " ".join(
        table.notes
    )


def test_what_was_never_asked_is_not_missed(recorded):
    speeds = recorded[recorded["metric"] == "training_speed"]
    assert not [note for note in table_of(devices, speeds).notes if note.startswith("No values")]


def test_a_study_of_which_nothing_ran_says_so_with_its_speed(recorded):
    reason = "unavailable: no interpreter of Python 3.6 was found"
    nothing = recorded.assign(value=None, status="unavailable", absent=reason)
    table = table_of(devices, nothing)
    assert set(table.shown["metric"]) == {"Training speed (images/s)"}
    assert set(table.shown["cpu"]) == {"unavailable"}
    assert f"({reason})." in table.notes[-1]
