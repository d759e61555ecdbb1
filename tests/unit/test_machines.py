"""Result sets of several machines and people, put together by what is in them."""

import copy

import pandas as pd
import pytest

from trainmark.analyse.sets.merged import merged, sources
from trainmark.analyse.sets.result_set import ResultSet
from trainmark.report.compare import machines
from trainmark.report.words import writers

HERE = "Example CPU 2.5 GHz, 2 cores"


@pytest.fixture(scope="module")
def records(recorded_runs):
    return [run.record for run in recorded_runs]


@pytest.fixture(scope="module")
def our_results(recorded, records):
    return ResultSet("results/recorded", recorded, records)


def faster(table, factor=1.02):
    """The measurements of somebody whose every run was a little faster."""
    return table.assign(value=table["value"] * factor)


@pytest.fixture(scope="module")
def colleagues(recorded, records):
    """The study measured on equal hardware elsewhere, with another kernel."""
    theirs = copy.deepcopy(records)
    for record in theirs:
        record["provenance"]["host"] |= {"hostname": "elsewhere", "kernel": "6.8"}
        record["provenance"]["started"] = "2026-11-20T09:00:00+00:00"
    return ResultSet("colleague.zip", faster(recorded), theirs)


def shown(*sets):
    return machines.table(merged(sets), sources(sets))


def of_pytorch(table):
    """The row of one framework in one case."""
    rows = table[(table["case"] == "lenet-digits") & (table["framework"].str.lower() == "pytorch")]
    return rows.iloc[0] if len(rows) == 1 else rows


def test_machines_are_columns(our_results, recorded):
    other = ResultSet("there", recorded.assign(machine="Other CPU, 64 cores"), [])
    table = shown(our_results, other).shown
    assert list(table.columns[2:]) == [HERE, "Other CPU, 64 cores"]
    assert "±" in table.iloc[0, 2]


def with_gpus(each, *gpus):
    """The results, and faster ones on GPUs, given as number and kind."""
    gpu_rows = [
        faster(each.measurements, 10).assign(
            device=f"cuda:{gpu.split()[0]}", machine=f"{HERE}, {gpu}"
        )
        for gpu in gpus
    ]
    return ResultSet(each.place, pd.concat([each.measurements, *gpu_rows], ignore_index=True), [])


def test_a_machine_is_one_column_with_its_gpus_also_beside_one_without(our_results, colleagues):
    both = with_gpus(our_results, "1 x K20", "2 x K20")
    name = f"{HERE}, 1 x K20; {HERE}, 2 x K20"
    columns = ["case", "framework", "device", name]
    assert list(shown(both).shown.columns) == columns
    table = shown(both, colleagues).shown
    assert list(table.columns) == columns
    cpu, *gpu = of_pytorch(table)[name]
    assert "2 sources)" in cpu
    assert not any("sources" in cell for cell in gpu)


def test_two_gpus_in_machines_of_one_processor_are_columns_and_so_is_that(our_results, colleagues):
    table = shown(with_gpus(our_results, "1 x K20"), with_gpus(colleagues, "1 x K20X")).shown
    gpus = [f"{HERE}, 1 x K20", f"{HERE}, 1 x K20X"]
    assert list(table.columns[3:]) == [HERE, *gpus]
    rows = of_pytorch(table).set_index("device")
    assert "2 sources)" in rows.loc["cpu", HERE]
    assert [rows.loc["cpu", name] for name in gpus] == ["-", "-"]
    assert all("±" in rows.loc["cuda:1", name] for name in gpus)


def test_each_named_machine_of_a_source_is_a_column(our_results, recorded):
    other = recorded.assign(machine_name="k20", machine="Other CPU, 64 cores")
    both = pd.concat([recorded.assign(machine_name="epyc"), other], ignore_index=True)
    table = shown(ResultSet("mine", both, [])).shown
    assert list(table.columns) == ["case", "framework", HERE, "Other CPU, 64 cores"]


def test_another_network_under_the_same_name_is_another_row(our_results, recorded):
    other = ResultSet("there", recorded.assign(machine="Other CPU", network="vgg16"), [])
    assert set(shown(our_results, other).shown["network"]) == {"lenet", "resnet50", "vgg16"}


def test_the_same_hardware_is_one_column_with_the_spread_of_its_sources(our_results, colleagues):
    table = shown(our_results, colleagues)
    assert list(table.shown.columns) == ["case", "framework", HERE]
    first, second = of_pytorch(merged([our_results, colleagues]))["mean"]
    mean, low, high = (f"{value:,.0f}" for value in ((first + second) / 2, first, second))
    assert of_pytorch(table.shown)[HERE].startswith(f"{mean} ({low} to {high}, 2 sources)")
    assert machines.SEVERAL in table.notes


def named(each, *names):
    """The results as if their study had named its machine, or several equal ones."""
    tables = [each.measurements.assign(machine_name=name) for name in names]
    records = copy.deepcopy([record for record in each.records for _ in names])
    for number, record in enumerate(records):
        record["job"]["machine_name"] = names[number % len(names)]
    return ResultSet(each.place, pd.concat(tables, ignore_index=True), records)


def test_what_studies_call_the_same_machine_changes_nothing(our_results, colleagues):
    epyc = named(our_results, "epyc")
    columns = ["case", "framework", "source", "mean", "sources", "ratio", "differences"]
    expected = merged([our_results, colleagues])[columns]
    pd.testing.assert_frame_equal(merged([epyc, colleagues])[columns], expected)
    pd.testing.assert_frame_equal(
        shown(epyc, colleagues).shown, shown(our_results, colleagues).shown
    )
    assert sources([our_results, epyc])["known"].tolist() == [0, 15]


def test_two_machines_of_a_kind_are_one_source(our_results, colleagues):
    two = named(our_results, "one", "two")
    assert set(merged([two])["sources"]) == {0, 1}
    assert merged([two])["beside"].isna().all()
    assert of_pytorch(merged([two, colleagues]))["sources"].tolist() == [2, 2, 2]
    cell = of_pytorch(shown(two).shown)[HERE]
    assert cell.startswith("one: ") and "; two: " in cell
    pd.testing.assert_frame_equal(
        shown(two, colleagues).shown, shown(our_results, colleagues).shown
    )


def test_each_source_has_its_value_beside_the_first_ones_and_what_differs(our_results, colleagues):
    numbers = merged([our_results, colleagues])
    first, second = of_pytorch(numbers).itertuples()
    assert (first.source, first.sources) == (1, 2)
    assert all(map(pd.isna, (first.beside, first.ratio, first.verdict, first.differences)))
    assert (second.source, second.beside, second.verdict) == (2, 1, "not distinguishable")
    assert second.ratio == pytest.approx(1.02)
    assert second.low < 1.02 < second.high
    assert "kernel 6.1 → 6.8" in second.differences
    table = machines.sources_table(numbers, sources([our_results, colleagues]))
    assert of_pytorch(table.shown)["source"].tolist() == ["1", "2"]
    assert of_pytorch(table.shown)["beside"].iloc[1].startswith("1: 1.02 (")
    assert "kernel 6.1 → 6.8" in writers.text(table)


def test_what_no_source_has_a_value_of_keeps_its_status(our_results, colleagues):
    table = shown(our_results, colleagues).shown
    failed = table[(table["case"] == "resnet50-cifar10") & (table["framework"] == "MXNet")]
    assert failed[HERE].item() == "failed: parity: logits_after off by 3.1e-02"


def test_the_same_results_twice_count_once(our_results, recorded, records):
    copied = ResultSet("somewhere/else.zip", recorded, records)
    numbers = merged([our_results, copied])
    pd.testing.assert_frame_equal(numbers, merged([our_results]))
    assert sources([our_results, copied])["known"].tolist() == [0, 15]
    notes = machines.table(numbers, sources([our_results, copied])).notes
    assert notes[-1].endswith("24 runs; 15 of 15 values known from an earlier source.")


def test_of_a_study_that_went_on_only_the_further_runs_are_new(our_results, recorded, records):
    begun = ResultSet("begun", recorded[recorded["repeat"] < 3], records)
    numbers = merged([begun, our_results])
    assert of_pytorch(numbers)["n"].tolist() == [2, 1]
    assert sources([begun, our_results])["known"].tolist() == [0, 10]


def test_what_results_and_their_study_are_called_changes_nothing(our_results, colleagues):
    table = colleagues.measurements.assign(study="renamed")
    renamed = ResultSet("results/recorded", table, colleagues.records)
    columns = ["case", "framework", "source", "mean", "sources", "ratio", "verdict"]
    pd.testing.assert_frame_equal(
        merged([our_results, renamed])[columns], merged([our_results, colleagues])[columns]
    )


def test_a_speed_by_a_log_is_not_taken_together_with_measured_ones(our_results, recorded):
    reason = "by its own log and clock (caffe): no parity, no telemetry"
    chosen = recorded[(recorded["status"] == "ok") & (recorded["metric"] == "training_speed")]
    log = ResultSet("adopted", faster(chosen).assign(reason=reason), [])
    numbers = merged([our_results, log])
    assert set(numbers["sources"]) == {0, 1}
    assert of_pytorch(shown(our_results, log).shown)[HERE].count("±") == 2


def test_below_the_table_stands_where_results_are_from(our_results, colleagues, recorded):
    bare = ResultSet("bare", recorded.assign(machine="Other CPU"), [])
    notes = shown(our_results, colleagues, bare).notes[-3:]
    assert notes[1] == "Source 2: colleague.zip; elsewhere; 2026-11-20; trainmark 0.1.0; 24 runs."
    assert notes[2] == "Source 3: bare; 24 runs."


def test_a_table_of_sources_says_where_there_is_nothing_to_compare(our_results, tmp_path):
    table = machines.sources_table(merged([our_results]), sources([our_results]))
    for ending in writers.FORMATS:
        writers.write(table, tmp_path / f"sources.{ending}")
    text = (tmp_path / "sources.txt").read_text(encoding="utf-8")
    assert "No configuration has a value of the same hardware by two sources." in text


def test_the_subtitle_counts_machines_whatever_their_names_are(our_results, recorded):
    theirs = recorded.assign(machine="Other CPU", machine_name="server")
    both = [our_results, ResultSet("theirs", theirs, [])]
    figure = machines.figure(merged(both), sources(both))
    assert "Study recorded on 2 machines" in [text.get_text() for text in figure.texts]


def with_a_failure(measurements):
    names = measurements["case"] + measurements["framework"]
    chosen = (names == "lenet-digitspytorch") & (measurements["repeat"] == 2)
    return measurements.assign(
        status=measurements["status"].mask(chosen, "failed"),
        value=measurements["value"].mask(chosen),
        absent=measurements["absent"].mask(chosen, "failed: no reason"),
    )


def test_failed_runs_of_two_sources_are_two_runs(recorded):
    theirs = recorded.assign(value=recorded["value"] * 1.01)
    both = [ResultSet("folder", with_a_failure(table), []) for table in (recorded, theirs)]
    numbers = merged(both).query("case == 'lenet-digits' and framework == 'pytorch'")
    assert numbers["repeats"].tolist() == [3, 3]
    assert numbers["remark"].tolist() == ["1 of 3 runs: failed: no reason"] * 2


def test_each_source_has_a_bar_of_its_own(our_results, colleagues):
    numbers = merged([our_results, colleagues])
    figure = machines.figure(numbers, sources([our_results, colleagues]))
    bars = [bar.get_width() for axes in figure.axes for bar in axes.patches]
    assert sorted(bars) == pytest.approx(sorted(numbers["mean"].dropna()))
    names = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    assert {"PyTorch, 1", "PyTorch, 2"} < set(names)
