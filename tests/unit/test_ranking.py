"""Bars ranked over frameworks, devices and precisions."""

import pandas as pd
import pytest
from matplotlib.colors import to_hex

from trainmark.analyse.compare.configurations import configurations
from trainmark.report.charts import ranking
from trainmark.report.draw import style
from trainmark.report.words import cells

METRIC = "training_speed"


@pytest.fixture
def rows(recorded):
    """The recorded speeds of LeNet in float32, and in bfloat16 as if it were twice as fast."""
    narrow = recorded.assign(precision="bfloat16", value=2 * recorded["value"])
    both = pd.concat([recorded, narrow], ignore_index=True)
    table = configurations(both[both["case"] == "lenet-digits"], METRIC)
    return table.assign(framework=cells.framework_titles(table))


def drawn(rows, note=""):
    data = ranking.ordered(rows, METRIC)
    with style.applied():
        figure = ranking.draw(data, METRIC, "title", note)
    return data, figure.axes[0]


def test_the_fastest_bar_is_on_top_with_its_value_and_its_interval(rows):
    data, axes = drawn(rows)
    assert [bar.get_width() for bar in axes.patches] == data["mean"].tolist()
    assert data["mean"].is_monotonic_decreasing
    fastest = data.iloc[0]
    assert axes.texts[0].get_text() == f"{fastest['mean']:,.0f} ± {fastest['half_width']:,.0f}"


def test_of_times_the_shortest_is_on_top(recorded):
    metric = "training_time"
    data = ranking.data(recorded[recorded["case"] == "lenet-digits"], metric)
    valued = data["mean"].dropna()
    assert len(valued) > 1 and valued.is_monotonic_increasing
    with style.applied():
        (axes,) = ranking.draw(data, metric, "title", "").axes
    assert axes.get_xlabel() == "s"


def test_names_are_columns_below_each_other(rows):
    data, axes = drawn(rows)
    names = [label.get_text() for label in axes.get_yticklabels()]
    assert [name.split() for name in names] == data[list(ranking.NAMES)].to_numpy().tolist()
    assert len({len(name) for name in names}) == 1


def test_a_framework_has_its_colour_paler_in_the_wider_precision(rows):
    data, axes = drawn(rows)
    colours = [to_hex(bar.get_facecolor()) for bar in axes.patches]
    colour_of = dict(
        zip(zip(data["adapter"], data["precision"], strict=True), colours, strict=True)
    )
    jax_colour = style.adapter_colour("jax")
    assert colour_of["jax", "bfloat16"] == jax_colour
    assert colour_of["jax", "float32"] == style.lighter(jax_colour, ranking.PALEST)


def test_one_precision_alone_is_not_pale(rows):
    _, axes = drawn(rows[(rows["precision"] == "float32") & (rows["adapter"] == "jax")])
    assert to_hex(axes.patches[0].get_facecolor()) == style.adapter_colour("jax")


def test_what_has_no_value_is_last_and_says_why(rows):
    missing = rows["precision"] == "bfloat16"
    gaps = rows.assign(
        mean=rows["mean"].mask(missing),
        n=rows["n"].mask(missing, 0),
        remark=rows["remark"].mask(missing, "unsupported: no bfloat16"),
    )
    data, axes = drawn(gaps)
    assert len(axes.patches) == 4
    assert [text.get_text() for text in axes.texts[4:]] == ["unsupported: no bfloat16"] * 4
    assert set(data["precision"][4:]) == {"bfloat16"}


def test_where_nothing_has_a_value_there_is_no_scale(rows):
    gaps = rows.assign(mean=None, half_width=None, n=0, remark="unavailable")
    _, axes = drawn(gaps.drop(columns=["run_1", "run_2", "run_3"]))
    assert not axes.patches and not list(axes.get_xticks())


def test_the_note_stands_at_the_foot_and_no_text_leaves_the_figure(rows):
    _, axes = drawn(rows, note="Cut short: at most 3 steps.")
    figure = axes.figure
    assert figure.texts[-1].get_text().splitlines()[-1] == "Cut short: at most 3 steps."
    figure.draw_without_rendering()
    for text in [*axes.texts, *axes.get_yticklabels(), *figure.texts]:
        box = text.get_window_extent()
        assert box.x0 >= 0 and box.x1 <= figure.bbox.x1
