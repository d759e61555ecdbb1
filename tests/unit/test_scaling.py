"""Curves over numbers of devices and of nodes: what they begin with, and what they are named."""

import pandas as pd
import pytest

from trainmark.analyse.along import scaling
from trainmark.report.draw import style
from trainmark.report.figures import scaling as figure

CASE = "lenet-digits"


@pytest.fixture
def on(recorded):
    """PyTorch's recorded runs of a case on other devices, so many times as fast."""
    is_own = (recorded["case"] == CASE) & (recorded["framework"] == "pytorch")
    rows = recorded[is_own & (recorded["device"] == "cpu")]

    def measured(weak=False, **factors):
        parts = []
        for count, (device, factor) in enumerate(factors.items(), start=1):
            batch = rows["batch_size"] * (count if weak else 1)
            named = device.replace("_", ":")
            scaled = rows.assign(device=named, value=rows["value"] * factor, batch_size=batch)
            parts.append(scaled)
        return pd.concat(parts, ignore_index=True)

    return measured


def points(measurements):
    table = scaling.curves(measurements)
    return {
        path: list(zip(rows["times"], rows["speedup"].round(6), strict=True))
        for path, rows in table.groupby("path", sort=False)
    }


def test_a_curve_goes_over_nodes_of_as_many_devices(on):
    curves = points(on(cuda_4=1, cuda_2x4=1.5, cuda_4x4=2.5))
    assert curves == {"nodes of cuda:4": [(1, 1), (2, 1.5), (4, 2.5)]}


def test_devices_of_one_node_are_another_curve(on):
    curves = points(on(cpu=1, cuda_1=8, cuda_2=12, cuda_2x2=18, cuda_2x1=10))
    assert curves == {
        "cuda of one node": [(1, 1), (2, 1.5)],
        "nodes of cuda:1": [(1, 1), (2, 1.25)],
        "nodes of cuda:2": [(1, 1), (2, 1.5)],
    }


def test_without_a_second_size_there_is_no_curve(on):
    assert points(on(cpu=1, cuda_1=8)) == {}


def test_strong_and_weak_scaling_are_distinguished_by_their_batches(on):
    for weak, name in ((False, scaling.STRONG), (True, scaling.WEAK)):
        table = scaling.curves(on(weak, cpu=1, cpu_2x1=1.5))
        assert set(table["scaling"]) == {name}


def test_batches_of_a_case_are_not_mixed(on):
    small = on(cpu=1, cpu_2=1.5)
    large = small.assign(batch_size=2 * small["batch_size"], value=small["value"] * 2)
    table = scaling.speedups(pd.concat([small, large], ignore_index=True))
    assert table["speedup"].tolist() == pytest.approx([1.5, 1.5])
    assert table["batch_size"].nunique() == 2


def test_batches_of_a_case_are_not_mixed_where_one_of_each_has_no_value(on):
    small = on(cpu=1, cpu_2=1.5)
    large = small.assign(batch_size=2 * small["batch_size"])
    small["value"] = small["value"].mask(small["device"] == "cpu:2")
    large["value"] = large["value"].mask(large["device"] == "cpu")
    assert scaling.speedups(pd.concat([small, large], ignore_index=True)).empty


def test_in_weak_scaling_the_batches_of_one_device_are_not_mixed(on):
    small = on(True, cpu=1, cpu_2=1.5)
    large = small.assign(batch_size=2 * small["batch_size"], value=small["value"] * 2)
    table = scaling.speedups(pd.concat([small, large], ignore_index=True))
    assert table["speedup"].tolist() == pytest.approx([1.5, 1.5])


def test_the_figure_has_a_curve_for_each_way_beside_the_ideal(on):
    data = figure.data(on(cuda_1=1, cuda_2=1.8, cuda_2x1=1.5))
    with style.applied():
        (panel,) = figure.draw(data, "title").axes
    assert panel.get_title(loc="left") == f"{CASE}, strong scaling"
    drawn = [line for line in panel.lines if line.get_gid() == "curve"]
    assert [line.get_label() for line in drawn] == [
        "PyTorch, cuda of one node",
        "PyTorch, nodes of cuda:1",
    ]
    assert [list(line.get_ydata()) for line in drawn] == [
        pytest.approx([1, 1.8]),
        pytest.approx([1, 1.5]),
    ]
    assert [label.get_text() for label in panel.get_xticklabels()] == ["1", "2"]
