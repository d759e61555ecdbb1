"""What a study's page says first: title, badges, answers, the chart of each case, evidence."""

import re

import pandas as pd
import pytest
from recorded import STUDY

from trainmark.analyse.compare.pairs import beside_the_fastest
from trainmark.report.page import answers, evidence, intervals, leaders, values
from trainmark.runs import records

RECORDS = [records.read(path) for path in sorted(STUDY.rglob("run.json"))]
JOBS = [record["job"] for record in RECORDS]
OK = sum(record["status"] == "ok" for record in RECORDS)


def fastest(measurements):
    """The answer to the first question."""
    points = [leading for leading, _ in leaders.comparisons(beside_the_fastest(measurements))]
    return answers.fastest(points)


def results(measurements):
    """The charts of the cases."""
    compared, listed = beside_the_fastest(measurements), values.listed(measurements)
    return intervals.of_cases(leaders.comparisons(compared), listed, measurements, JOBS)


def close(measurements):
    """PyTorch and JAX are far in front on lenet-digits, and alike."""
    speeds = measurements["metric"] == "training_speed"
    of_case = measurements["case"] == "lenet-digits"
    rivals = measurements["framework"].isin(["pytorch", "jax"])
    spread = 1e6 + 1e5 * measurements["repeat"] + 1e3 * (measurements["framework"] == "pytorch")
    return measurements.assign(value=measurements["value"].mask(speeds & of_case & rivals, spread))


def in_sizes(measurements, count):
    """The study in so many batch sizes."""
    sizes = [measurements.assign(batch_size=32 * number) for number in range(1, count + 1)]
    return pd.concat(sizes, ignore_index=True)


def test_the_title_is_what_was_measured(recorded):
    compared = beside_the_fastest(recorded)
    proven = len(evidence.parity_errors(recorded))
    assert answers.title(compared, recorded, proven) == (
        "Training speed of four frameworks on the same work"
    )
    assert answers.title(compared, recorded, proven + 1) == "Training speed of four frameworks"
    assert answers.title(compared, recorded.assign(value=None), 0) == (
        "Training speed of four frameworks"
    )
    alone = compared[compared["framework"] == "jax"]
    assert answers.title(alone, recorded, proven) == "Training speed of JAX"


def test_frameworks_and_their_own_loops_are_counted_apart(recorded):
    loops = {"pytorch": "pytorch_imagenet", "tensorflow": "keras_fit"}
    with_loops = recorded.assign(adapter=recorded["adapter"].replace(loops))
    title = answers.title(beside_the_fastest(with_loops), with_loops, OK)
    assert title.startswith("Training speed of two frameworks and two own loops")


def test_settings_of_a_framework_are_counted_beside_it(recorded):
    """JAX's runs as if they had been of a setting of PyTorch."""
    of_pytorch = {"jax": "pytorch"}
    renamed = {"framework": {"jax": "pytorch-tuned"}, "adapter": of_pytorch}
    tuned = recorded.replace({**renamed, "environment": of_pytorch})
    title = answers.title(beside_the_fastest(tuned), tuned, OK + 1)
    assert title == "Training speed of three frameworks in four settings"


@pytest.mark.parametrize(
    ("days", "text"),
    [
        (["2026-11-02"], "2 November 2026"),
        (["2026-11-02", "2026-11-03", "2026-12-01"], "2 November 2026 to 1 December 2026"),
    ],
)
def test_the_days_are_those_of_the_runs(recorded, days, text):
    runs = [
        {**RECORDS[0], "provenance": {**RECORDS[0]["provenance"], "started": f"{day}T10:00:00"}}
        for day in days
    ]
    facts = answers.facts(beside_the_fastest(recorded), runs)
    assert facts[0] == text
    assert facts[3] == ("1 run" if len(days) == 1 else f"{len(days)} runs")


def test_runs_that_never_began_are_not_counted(recorded):
    never = [{**record, "attempts": 0} for record in RECORDS]
    facts = answers.facts(beside_the_fastest(recorded), never)
    assert (facts[0], facts[3]) == ("no run began", "0 runs")


def test_badges_count_and_warn_where_something_is_missing(recorded):
    runs = [{**record, "disturbed": record["job"]["repeat"] == 1} for record in RECORDS]
    badges = answers.badges(beside_the_fastest(recorded), recorded, runs)
    quiet = next(badge for badge in badges if badge.name == "quiet")
    assert re.fullmatch(rf"(\d+)/{OK}", quiet.text)
    assert not quiet.is_good


def test_a_significantly_fastest_framework_is_named_with_the_ratio(recorded):
    of_lenet = next(line for line in fastest(recorded) if line.about == "lenet-digits")
    assert re.fullmatch(r"significantly fastest, [\d.]+ times the slowest", of_lenet.note)


def test_where_nobody_is_significantly_fastest_those_who_may_be_are_named(recorded):
    line = fastest(close(recorded))[0]
    assert (line.about, line.answer) == ("lenet-digits", "PyTorch or JAX")
    assert "not distinguishable" in line.note


def test_one_without_an_interval_may_be_fastest(recorded):
    measurements = close(recorded)
    is_single = (measurements["framework"] == "jax") & (measurements["repeat"] > 1)
    line = fastest(measurements[~is_single])[0]
    assert (line.answer, line.note) == (
        "PyTorch or JAX",
        "fastest, not distinguishable or without an interval",
    )


def test_the_title_says_the_same_work_of_those_alone_that_have_done_it(recorded):
    compared = beside_the_fastest(recorded)
    compared = compared[compared["n"] > 0]
    assert answers.title(compared, recorded, OK).endswith(" on the same work")
    none_of_one = compared.assign(n=compared["n"].mask(compared["framework"] == "jax", 0))
    assert not answers.title(none_of_one, recorded, OK).endswith(" on the same work")


def test_nobody_is_significantly_fastest_after_one_run_each(recorded):
    first, *_ = fastest(recorded[recorded["repeat"] == 1])
    assert first.note == "highest of one run each, which have no interval"
    assert " or " not in first.answer


def test_after_one_run_each_of_many_settings_the_highest_are_named_and_counted(recorded):
    first, *_ = fastest(in_sizes(recorded[recorded["repeat"] == 1], 5))
    assert first.answer in {"PyTorch", "JAX", "TensorFlow", "MXNet"}
    assert first.note == "highest of one run each, without an interval, in 5 of 10 comparisons"


def test_many_settings_are_counted_by_framework(recorded):
    lines = fastest(in_sizes(recorded, 5))
    assert sum(int(re.search(r"in (\d+) of 10", line.note)[1]) for line in lines) == 10
    assert "(5 settings)" in lines[0].about


def test_the_worst_error_and_the_accuracies_say_whether_the_work_was_the_same(recorded):
    first, *accuracies = answers.same_work(recorded, OK)
    worst = evidence.parity_errors(recorded)["value"].max()
    assert f"worst relative error {worst:.1e}" in first.note
    assert all(line.answer.endswith(" %") for line in accuracies)


def test_work_that_was_never_compared_is_not_called_the_same(recorded):
    errors = recorded["metric"] == "parity_error"
    unchecked = recorded.assign(value=recorded["value"].mask(errors))
    assert next(answers.same_work(unchecked, OK)).answer == "Not checked"


def test_disturbed_runs_are_to_be_measured_again(recorded):
    compared = beside_the_fastest(recorded)
    noisy = [{**record, "disturbed": True} for record in RECORDS]
    first = next(answers.trusted(compared, noisy))
    assert first.answer == "Not quiet"
    assert "measure them again for a verdict" in first.note


def test_what_failed_is_reported_before_what_is_unsupported(recorded):
    of_jax = recorded["framework"] == "jax"
    unsupported = recorded[~of_jax].assign(status="unsupported", absent="no such operator")
    failed = recorded[of_jax].assign(status="failed", absent="failed: parity")
    failures = "; ".join(f"JAX in {case}: failed: parity" for case in recorded["case"].unique())
    lacking = beside_the_fastest(pd.concat([unsupported, failed]).assign(value=None))
    assert answers.missing(lacking) == f"{failures}; no such operator"


def test_a_remark_is_an_answer_and_stands_below_its_chart(recorded):
    drifting = (recorded["framework"] == "jax") & (recorded["case"] == "lenet-digits")
    remarked = recorded.assign(reason=recorded["reason"].mask(drifting, "step times drift"))
    lines = list(answers.trusted(beside_the_fastest(remarked), RECORDS))
    assert ("JAX, lenet-digits", "Remark", "step times drift") in lines
    rows = [row for case in results(remarked) for point in case["points"] for row in point["rows"]]
    assert [row["framework"] for row in rows if row.get("remark")] == ["JAX"]


def test_a_chart_has_its_means_and_runs_between_zero_and_its_end(recorded):
    for case in results(recorded):
        for point in case["points"]:
            assert point["ticks"][0] == {"place": 0, "text": "0"}
            valued = [row for row in point["rows"] if "mean" in row]
            places = [place for row in valued for place in (row["mean"], row["low"], *row["runs"])]
            assert valued
            assert 0 <= min(places) <= max(places) <= 100
            means = [row["mean"] for row in valued]
            assert means == sorted(means, reverse=True)


def test_an_interval_far_beyond_all_values_is_cut_at_the_end(recorded):
    speeds = recorded["metric"] == "training_speed"
    wild = recorded.assign(value=recorded["value"].mask(speeds, 10.0 ** recorded["repeat"]))
    rows = [row for case in results(wild) for row in case["points"][0]["rows"] if "mean" in row]
    assert rows
    for row in rows:
        assert row["low"] == 0
        assert row["width"] == 100
        assert max(row["runs"]) > 60


def test_a_configuration_without_a_value_has_the_reason_in_its_row(recorded):
    of_jax = recorded["framework"] == "jax"
    failed = recorded[of_jax].assign(status="failed", absent="failed: parity", value=None)
    cases = results(pd.concat([recorded[~of_jax], failed]))
    for case in cases:
        last = case["points"][0]["rows"][-1]
        assert (last["framework"], last["missing"]) == ("JAX", "failed: parity")


def test_a_setting_of_a_case_has_an_axis_of_its_own_and_many_are_folded(recorded):
    for case in results(in_sizes(recorded, 6)):
        assert len(case["points"]) == 4
        assert [point["leaders"].settings for point in case["more"]] == ["batch 160", "batch 192"]


def test_the_line_below_a_case_has_what_its_runs_share(recorded):
    setting = results(recorded)[0]["setting"]
    assert setting.startswith("lenet on digits (1x28x28), batch ")


def test_each_machine_and_each_version_is_evidence(recorded):
    named = recorded.assign(machine_name="a")
    runs = [
        {**record, "job": {**record["job"], "machine_name": name}}
        for name in ("a", "b")
        for record in RECORDS
    ]
    both = pd.concat([named, named.assign(machine_name="b")], ignore_index=True)
    machines = evidence.machines(beside_the_fastest(both), runs)
    assert [machine["title"].split(":")[0] for machine in machines] == ["a", "b"]
    assert machines[0]["facts"]["memory"] == "8.0 GiB"
    names = {version["framework"] for version in evidence.versions(runs)}
    assert names == {"JAX", "MXNet", "PyTorch", "TensorFlow"}


def test_the_facts_of_a_machine_are_those_of_a_run_with_its_gpus(recorded):
    known = {"name": "H200", "memory_bytes": 140 * 2**30, "power_limit_watts": 700.0}
    gpu = {**known, "compute_capability": None, "driver": None}
    ok = [record for record in RECORDS if record["status"] == "ok"]
    origin = {**ok[-1]["provenance"], "gpus": [gpu, gpu], "revision": "0123456789ab-dirty"}
    runs = [*ok[:-1], {**ok[-1], "provenance": origin}]
    (machine,) = evidence.machines(beside_the_fastest(recorded), runs)
    assert machine["facts"]["GPU"] == "2 x H200 (140 GiB, at most 700 W)"
    assert machine["facts"]["trainmark"].endswith(", 0123456-dirty")


def test_checks_have_their_numbers(recorded):
    checks = evidence.checks(beside_the_fastest(recorded), recorded, RECORDS)
    assert [check["name"] for check in checks] == [
        "Equal work",
        "One clock",
        "Quiet machine",
        "Repeats",
    ]
    assert all(re.search(r"\d", check["number"]) for check in checks)
