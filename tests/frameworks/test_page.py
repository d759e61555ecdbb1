"""The page in a real browser: nothing fails, nothing is empty, each control does what it says."""

import csv
import re
from pathlib import Path

import pandas as pd
import pytest
from recorded import STUDY

from trainmark.analyse.compare.configurations import configurations
from trainmark.report.page import study, values
from trainmark.report.page.runs import read
from trainmark.study import plugins
from trainmark.study.axes import CONFIGURATION

PROBE = Path(__file__).parent / "probe_page.py"
RUNS = list(map(read, sorted(STUDY.rglob("run.json"))))
HOSTILE = "</script><script>window.taken = true</script>"


@pytest.fixture(scope="module")
def measured(recorded):
    """The recorded study, and the same on one thread, where all is less."""
    fewer = recorded.assign(thread_count="1", value=0.9 * recorded["value"])
    return pd.concat([recorded, fewer], ignore_index=True)


@pytest.fixture(scope="module")
def seen(measured, sources, drawings, in_browser, tmp_path_factory):
    """What a browser tells of the page of that study, which has a bad name."""
    named = {"measurements": measured, "steps": sources["steps"]}
    named = {name: table.replace("recorded", HOSTILE) for name, table in named.items()}
    path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_text(study.html(named, ["summary", "pairs"], drawings, RUNS, "snakemake"))
    return in_browser(PROBE, path)


def test_nothing_is_complained_of(seen):
    assert seen["errors"] == []


def test_each_configuration_with_a_value_has_a_mark(seen, measured):
    speeds = configurations(measured, "training_speed")
    assert seen["marks"] == (speeds["n"] > 0).sum() > 0


def test_the_best_mean_is_on_top(seen, measured):
    table = values.listed(measured).assign(mean=configurations(measured, "training_speed")["mean"])
    of_case = table[table["case"] == table["case"].iloc[0]].dropna(subset="mean")
    expected = list(of_case.sort_values("mean", ascending=False)["label"])
    assert [label for label in seen["labels"] if label in expected] == expected


def test_all_is_a_number_of_threads_and_any_is_every_one(seen, measured):
    threads = re.compile(r", threads (\w+)$")
    thread_counts = {
        name: {match[1] for match in map(threads.search, seen[name]) if match}
        for name in ("labels", "of_all_threads")
    }
    assert thread_counts == {"labels": {"all", "1"}, "of_all_threads": {"all"}}
    assert f"of {measured.groupby(list(CONFIGURATION)).ngroups} configurations" in seen["count"]


def test_of_two_quick_choices_the_last_one_is_reported(seen, measured):
    listed = values.listed(measured)
    of_last = (listed["case"] == seen["chosen"]["case"]).sum()
    assert seen["last_count"].endswith(f": {of_last} of {len(listed)} configurations")


def test_a_multiple_needs_a_best_and_nothing_negative_and_a_logarithm_all_above_0(seen, measured):
    last = measured["case"].iloc[-1]
    for metric, caption in seen["captions"].items():
        of_case = measured[(measured["metric"] == metric) & (measured["case"] == last)]
        rows = list(values.rows(of_case))
        means = [row["value"] for row in rows if row["kind"] == "mean"]
        if not means:
            continue
        shown = [*means, *(value for row in rows for value in row.get("runs", {}).values())]
        higher = rows[0].get("higher")
        has_best = higher is not None and (max(means) if higher else min(means)) > 0
        divides = has_best and min(shown) >= 0
        assert ("relative to the best" in caption) == divides, caption
        assert ("as measured: " in caption) == (not divides), caption
        assert ("linear: " in caption) == (min(shown) <= 0), caption


def test_a_broken_chart_leaves_the_others_alone(seen):
    first, *others = seen["broken"]
    assert first["text"].startswith("This can't be drawn: ")
    assert first["marks"] == 0
    assert others
    assert all(other["marks"] > 0 for other in others)


def test_results_come_first_and_nothing_is_drawn_that_nobody_asked_for(seen, measured):
    sections = ["Results", "Evidence", "Explore", "One configuration", "Figures", "Tables"]
    assert seen["first"]["sections"] == sections
    assert len(seen["first"]["rows"]) == len(values.listed(measured))
    assert seen["first"]["charts"] == seen["first"]["images"] == 0


def test_a_row_opens_its_runs_which_the_address_keeps(seen):
    assert seen["clicked"].endswith(seen["first"]["rows"][0] + ", threads all")
    assert re.search(r"configuration=\d+", seen["kept"])


def test_links_within_the_page_leave_the_address_alone(seen):
    assert seen["address_after_links"] == ""


def test_whatever_can_be_used_or_is_drawn_has_a_name(seen):
    roles = {role for role, _ in seen["names"]}
    assert {"combobox", "button", "searchbox", "image", "graphics-document"} <= roles
    assert [role for role, name in seen["names"] if not name] == []


def test_what_is_chosen_is_in_the_address(seen):
    assert f"metric={seen['chosen']['metric']}" in seen["address"]
    assert "relative=yes" in seen["address"]
    assert "logarithmic=yes" in seen["address"]
    assert seen["cases"] == 1


def test_a_click_opens_a_configuration_with_its_curves(seen):
    assert ": " in seen["opened"]


def test_any_two_configurations_have_a_verdict(seen):
    assert "times as good as" in seen["verdict"]
    assert "95 % interval" in seen["verdict"]
    first, second = (
        re.search(r"is ([\d.]+) times", seen[name])[1] for name in ("verdict", "other")
    )
    assert float(first) * float(second) == pytest.approx(1, rel=0.02)


def test_figures_are_drawn(seen):
    assert seen["drawn"] == [True]


def test_rows_are_found_by_words_which_the_address_keeps(seen):
    assert seen["rows"]
    assert all("pytorch" in row.lower() for row in seen["rows"])
    assert "search=pytorch" in seen["searched"]
    assert re.fullmatch(r"[1-9]\d* of \d+ rows", seen["searched_by_address"])


def test_rows_are_sorted_both_ways_those_without_a_number_last(seen):
    for cells, falls in zip(seen["sorted"], (False, True), strict=True):
        with_number = [cell for cell in cells if cell[0].isdigit()]
        assert len(with_number) < len(cells)
        assert cells[: len(with_number)] == with_number
        numbers = [float(cell.split()[0].replace(",", "")) for cell in with_number]
        assert numbers == sorted(numbers, reverse=falls)


def test_a_name_is_never_executed(seen):
    assert seen["taken"] is False


def test_what_a_chart_shows_is_downloaded(seen):
    rows = list(csv.DictReader(seen["downloaded"].splitlines()))
    assert {row["kind"] for row in rows} == {"mean", "run", "none"}
    for row in rows:
        metric = seen["chosen"]["metric"]
        assert (row["case"], row["metric"]) == (seen["chosen"]["case"], metric)
        assert row["unit"] == plugins.facts("metric", metric)["UNIT"]
        assert bool(row["value"]) != bool(row["reason"])
        assert bool(row["run"]) == (row["kind"] == "run")
