"""The page in a real browser: nothing fails, nothing is empty, each control does what it says."""

import json
import re
import subprocess
from pathlib import Path

import pytest
from conftest import STUDY

from trainmark.analyse.across.configurations import configurations
from trainmark.report.page import study, values
from trainmark.study import plugins

PROBE = Path(__file__).parent / "probe_page.py"
RECORDS = sorted(STUDY.rglob("run.json"))
HOSTILE = "</script><script>window.taken = true</script>"


@pytest.fixture(scope="module")
def seen(recorded, sources, drawings, framework_environment, tmp_path_factory):
    """What a browser tells of the page of the recorded study, which has a bad name."""
    python, variables = framework_environment("onnxruntime_web")
    named = {"measurements": recorded, "steps": sources["steps"]}
    named = {name: table.replace("recorded", HOSTILE) for name, table in named.items()}
    path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_text(study.html(named, ["summary", "pairs"], drawings, RECORDS, "snakemake"))
    program = Path(python).parents[1] / "chromium" / "chromium"
    done = subprocess.run(
        [python, "-I", PROBE, plugins.SCRIPTS, program, path],
        capture_output=True,
        text=True,
        check=False,
        env=variables,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout.splitlines()[-1])


def test_nothing_is_complained_of(seen):
    assert seen["errors"] == []


def test_each_configuration_with_a_value_has_a_mark(seen, recorded):
    speeds = configurations(recorded, "training_speed")
    assert seen["marks"] == (speeds["n"] > 0).sum() > 0


def test_the_best_mean_is_on_top(seen, recorded):
    table = values.listed(recorded).assign(mean=configurations(recorded, "training_speed")["mean"])
    of_case = table[table["case"] == table["case"].iloc[0]].dropna(subset="mean")
    expected = list(of_case.sort_values("mean", ascending=False)["label"])
    assert [label for label in seen["labels"] if label in expected] == expected


def test_what_is_chosen_stands_in_the_address(seen):
    assert f"metric={seen['chosen']['metric']}" in seen["address"]
    assert "relative=yes" in seen["address"]
    assert "logarithmic=yes" in seen["address"]
    assert seen["cases"] == 1


def test_a_click_opens_a_configuration_with_its_curves(seen):
    assert ": " in seen["opened"]
    assert seen["curves"] >= 3


def test_any_two_configurations_have_a_verdict(seen):
    assert "times as good as" in seen["verdict"]
    assert "95 % interval" in seen["verdict"]
    first, second = (
        re.search(r"is ([\d.]+) times", seen[name])[1] for name in ("verdict", "other")
    )
    assert float(first) * float(second) == pytest.approx(1, rel=0.02)


def test_figures_are_drawn(seen):
    assert seen["drawn"] == [True]


def test_rows_are_found_and_sorted(seen):
    assert seen["rows"]
    assert all("pytorch" in row.lower() for row in seen["rows"])
    assert seen["sorted"]


def test_a_name_is_never_executed(seen):
    assert seen["taken"] is False


def test_what_a_chart_shows_is_downloaded(seen):
    heading, *rows = seen["downloaded"].splitlines()
    assert heading == '"label","metric","kind","value","low","high"'
    assert rows
    assert all(seen["chosen"]["metric"] in row for row in rows)
