"""The content of a figure of a recorded study, and the making of its files."""

from itertools import pairwise

import pandas as pd
import pytest
from matplotlib.figure import Figure
from matplotlib.markers import CARETRIGHT

from trainmark.analyse.csv import steps
from trainmark.report.draw import bars, curves, saving, style, whiskers
from trainmark.report.figures import parity, relative_speed, step_times
from trainmark.report.figures.batches import latency_batch
from trainmark.report.figures.losses import learning_curve
from trainmark.report.figures.metrics import accuracy, training_speed
from trainmark.report.figures.sweeps import speed_batch, speed_threads
from trainmark.study import plugins


@pytest.fixture
def data(recorded):
    return training_speed.data(recorded)


def drawn_text(figure):
    texts = [text for axes in figure.axes for text in axes.texts]
    return [text.get_text() for text in (*texts, *figure.texts)]


def draw(data):
    with style.applied():
        return training_speed.draw(data, "Training speed")


def test_a_bar_is_the_mean_of_its_runs_and_a_missing_one_no_bar(data):
    panels = draw(data).axes
    widths = [[bar.get_width() for bar in panel.patches] for panel in panels]
    assert widths[0] == data["mean"][:4].tolist()
    assert widths[1] == data["mean"][4:5].tolist()


def test_runs_of_another_stage_are_no_gaps(recorded):
    both = pd.concat([recorded, recorded.assign(stage="infer", value=None)])
    plotted = training_speed.data(both)
    pd.testing.assert_frame_equal(plotted, training_speed.data(recorded))


def test_values_of_zero_are_bars_of_no_length_and_no_gaps(recorded):
    figure = draw(training_speed.data(recorded.assign(value=recorded["value"] * 0)))
    assert [bar.get_width() for bar in figure.axes[0].patches] == [0, 0, 0, 0]
    assert figure.axes[0].get_xlim()[1] > 0


def test_values_below_zero_are_bars_in_the_picture_with_their_numbers(recorded):
    figure = draw(training_speed.data(recorded.assign(value=-recorded["value"])))
    low, high = figure.axes[0].get_xlim()
    assert all(low <= bar.get_width() < 0 for bar in figure.axes[0].patches)
    assert all(low <= text.xy[0] <= high for text in figure.axes[0].texts)


def test_each_run_is_a_circle(data):
    panel = draw(data).axes[0]
    circles = [line for line in panel.lines if line.get_marker() == "o"]
    assert [circle.get_xdata().tolist() for circle in circles] == (
        data.loc[:3, ["run_1", "run_2", "run_3"]].to_numpy().tolist()
    )


def test_an_interval_far_longer_than_all_bars_ends_in_an_arrow_head(data):
    longest = data["mean"][:4].max()
    data.loc[1, "half_width"] = 50 * longest
    axes = draw(data).axes[0]
    (arrow_head,) = [line for line in axes.lines if line.get_marker() == CARETRIGHT]
    assert arrow_head.get_xdata() == whiskers.LONGEST * longest
    assert axes.get_xlim()[1] < 2 * whiskers.LONGEST * longest
    assert f"± {50 * longest:,.0f}" in " ".join(drawn_text(axes.figure))


def test_no_accuracy_is_above_100_percent(recorded):
    data = accuracy.data(recorded)
    data.loc[0, "half_width"] = 40.0
    with style.applied():
        axes = accuracy.draw(data, "title").axes[0]
    assert axes.spines["bottom"].get_bounds() == (0, 100)
    assert max(axes.get_xticks()) == 100


def test_an_interval_of_ordinary_length_has_two_caps(data):
    axes = draw(data).axes[0]
    caps = [line.get_xdata()[0] for line in axes.lines if line.get_marker() == "|"]
    ends = zip(data["mean"] - data["half_width"], data["mean"] + data["half_width"], strict=True)
    assert caps == [end for interval in list(ends)[:4] for end in interval]


@pytest.mark.parametrize("noisy_ratio", [0.3, 1.7])
def test_an_interval_of_a_ratio_that_says_nothing_leaves_the_bars_long(recorded, noisy_ratio):
    data = relative_speed.data(recorded)
    data.loc[1, ["ratio", "low", "high"]] = noisy_ratio, 0.001, 1e5
    with style.applied():
        axes = relative_speed.draw(data, "title").axes[0]
    assert axes.get_xlim()[1] < 2 * whiskers.LONGEST * max(1, noisy_ratio)


@pytest.mark.parametrize("highest", [1, 1.07, 1.3, 1.6, 2, 2.4, 3, 4, 6, 8, 12, 19, 25, 300])
def test_an_axis_of_ratios_has_a_tick_at_1_and_no_other_near_it(highest):
    axes = Figure().subplots()
    style.scale(axes, highest, around_one=True)
    ticks = [float(label.get_text().replace(",", "")) for label in axes.get_xticklabels()]
    assert 1 in ticks
    assert all(later - tick > highest / 40 for tick, later in pairwise(ticks))


def test_a_gap_says_its_reason_in_the_bars_place(data):
    assert "timed_out: no end within 600 s" in drawn_text(draw(data))


def test_title_machine_and_meaning_of_the_marks_are_shown(data):
    text = " ".join(drawn_text(draw(data))).replace("\n", " ")
    assert "Training speed" in text
    assert "Study recorded on Example CPU 2.5 GHz, 2 cores" in text
    assert "mean of n = 3 runs" in text and "95 % confidence interval" in text
    assert "5,432 ± 235" in text


def test_a_bar_of_fewer_runs_is_marked(recorded):
    lost = (recorded["framework"] == "mxnet") & (recorded["repeat"] == 3)
    partly = recorded.assign(
        value=recorded["value"].mask(lost),
        absent=recorded["absent"].mask(lost, "failed: killed"),
    )
    text = drawn_text(draw(training_speed.data(partly)))
    assert any(text.endswith("†") for text in text)
    assert any(bars.REMARKED in text.replace("\n", " ") for text in text)


def test_a_case_of_which_no_run_has_step_times_says_why(recorded_runs, tmp_path):
    steps.tabulate(recorded_runs).to_csv(tmp_path / "steps.csv", index=False)
    data = step_times.data(steps.read(tmp_path / "steps.csv"))
    short = data["case"] == "resnet50-cifar10"
    data.loc[short & data["absent"].isna(), "absent"] = "too few steps"
    data.loc[short, ["end_seconds", "milliseconds"]] = None
    with style.applied():
        first, second = step_times.draw(data, "title").axes
    assert len(first.lines) > 0 and not first.texts
    (text,) = [text.get_text().replace("\n", " ") for text in second.texts]
    assert text.startswith("No run has step times: ") and "too few steps" in text


def test_a_figure_of_points_that_no_run_has_says_so(data):
    points = data.iloc[:0].assign(latency=[])
    with style.applied():
        figure = latency_batch.draw(points, "title", "Cut short.")
    assert bars.NO_VALUE in figure.texts[-1].get_text()


def test_no_text_leaves_the_figure_however_long_the_names_are(data):
    wordy = pd.concat([data] * 2, ignore_index=True)
    wordy["label"] = "a framework of a long name, cuda:1, bfloat16, synthetic"
    wordy["case"] = wordy["case"] + " with a long name of many words for a case"
    wordy.loc[wordy["n"] == 0, "remark"] = "unavailable: " + "not to be found here " * 9
    figure = draw(wordy)
    figure.draw_without_rendering()
    frame = figure.bbox
    for text in figure.findobj(lambda artist: hasattr(artist, "get_text")):
        if text.get_text() and text.get_visible():
            box = text.get_window_extent()
            assert frame.x0 <= box.x0 and box.x1 <= frame.x1, text.get_text()
            assert frame.y0 <= box.y0 and box.y1 <= frame.y1, text.get_text()


def test_the_parity_matrix_has_room_for_the_names_of_its_rows(recorded):
    data = parity.data(recorded)
    data["row"] = data["row"] + ", of a long name, bfloat16, gradients, cuda:1"
    with style.applied():
        figure = parity.draw(data, parity.TITLE)
    figure.draw_without_rendering()
    for label in figure.axes[0].get_yticklabels():
        assert label.get_window_extent().x0 >= figure.bbox.x0


def test_speeds_of_several_stages_have_a_panel_each(sources):
    data = relative_speed.data(sources["measurements"])
    assert {"lenet-digits, infer", "lenet-digits, gradients"} <= set(data["panel"])
    with style.applied():
        titles = {axes.get_title(loc="left") for axes in relative_speed.draw(data, "").axes}
    assert titles == set(data["panel"])


def test_drawn_again_the_files_are_the_same(data, tmp_path):
    for ending in ("svg", "pdf", "png"):
        for copy in ("one", "two"):
            with style.applied():
                figure = training_speed.draw(data, "title")
                saving.save(figure, data, tmp_path / f"{copy}.{ending}")
        first, second = (tmp_path / f"{copy}.{ending}" for copy in ("one", "two"))
        assert first.read_bytes() == second.read_bytes()


def test_formats_of_an_earlier_drawing_do_not_stay_beside_a_newer_one(data, tmp_path):
    for endings in (["csv", "svg", "pdf"], ["csv", "svg", "png"]):
        files = [str(tmp_path / f"speed.{ending}") for ending in endings]
        saving.save_figure(lambda: training_speed.draw(data, "title"), data, files)
    assert {path.suffix for path in tmp_path.iterdir()} == {".csv", ".svg", ".png"}


def test_a_framework_has_its_adapters_colour_and_a_variant_a_lighter_one():
    rows = pd.DataFrame(
        {"framework": ["pytorch", "pytorch-compiled"], "adapter": ["pytorch", "pytorch"]}
    )
    colours = style.colours(rows)
    assert colours["pytorch"] == plugins.facts("framework", "pytorch")["COLOUR"]
    assert colours["pytorch-compiled"] != colours["pytorch"]


def test_a_frameworks_own_loop_has_the_colour_of_the_framework():
    assert style.adapter_colour("keras_fit") == style.adapter_colour("tensorflow")


def test_an_adapter_that_is_not_here_is_grey():
    assert style.adapter_colour("of_another_house") == style.UNKNOWN_COLOUR


def test_the_losses_of_equal_work_lie_on_each_other_from_wide_to_narrow(sources):
    data = learning_curve.data(sources["losses"])
    with style.applied():
        panel = learning_curve.draw(data, "title").axes[0]
    curves = [line for line in panel.lines if line.get_gid() == "curve"]
    widths = [line.get_linewidth() for line in curves]
    assert widths == sorted(widths, reverse=True)
    assert len(set(widths)) == 4  # frameworks, of three runs each
    assert len({tuple(line.get_ydata()) for line in curves}) == 1


@pytest.mark.parametrize("name", ["step_times", "learning_curve"])
def test_of_many_repeats_there_is_a_line_for_each_of_the_first_ten(name, sources):
    figure = plugins.load("figure", name)
    source = sources[plugins.facts("figure", name)["SOURCE"]]
    many = pd.concat([source.assign(repeat=repeat) for repeat in range(1, 13)])
    assert set(figure.data(many)["repeat"]) == set(range(1, 11))


def test_speed_by_batch_size_has_a_panel_for_each_quantity_that_has_values(sources):
    data = speed_batch.data(sources["measurements"])
    assert set(data["metric"]) == {"training_speed", "cpu_memory", "own_cpu"}  # no GPU's
    assert set(data["batch_size"]) == {32, 64}
    with style.applied():
        panel = speed_batch.draw(data, "title").axes[0]
    (curve, _) = [line for line in panel.lines if line.get_label().startswith("JAX")]
    assert list(curve.get_xdata()) == [32, 64]


def test_a_panel_of_many_curves_is_as_high_as_its_legend(sources):
    measured = sources["measurements"]
    many = [measured.assign(thread_count=str(count)) for count in range(1, 21)]
    data = speed_batch.data(pd.concat(many, ignore_index=True))
    with style.applied():
        figure = speed_batch.draw(data, "title")
    figure.draw_without_rendering()
    legend, panel = figure.axes[0].get_legend(), figure.axes[0]
    assert len(legend.get_texts()) > 30
    inches = legend.get_window_extent().height / figure.dpi
    assert curves.PANEL_INCHES < inches < curves.height(data[data["panel"] == data["panel"][0]])
    below = [axes for axes in figure.axes if axes.get_window_extent().y1 < panel.bbox.y0]
    assert all(legend.get_window_extent().y0 > axes.get_window_extent().y1 for axes in below)


def test_numbers_of_threads_are_in_their_order_and_all_of_them_come_last(recorded):
    counts = [recorded.assign(thread_count=count) for count in ("all", "16", "2")]
    data = speed_threads.data(pd.concat(counts, ignore_index=True))
    with style.applied():
        panel = speed_threads.draw(data, "title").axes[0]
    assert [label.get_text() for label in panel.get_xticklabels()] == ["2", "16", "all"]


def test_a_study_of_one_batch_size_has_no_figure_along_it(recorded):
    assert speed_batch.data(recorded).empty
