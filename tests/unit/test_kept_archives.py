"""Kept archives: their page, and the report on one that is offered."""

import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from recorded import FORMATS

from trainmark.analyse.sets import archive_report, kept
from trainmark.analyse.sets.result_set import UnfitResults
from trainmark.report.page import archives

HOSTILE = "</script><script>window.taken = true</script><img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def both():
    """Results of one study on one processor, measured with two versions."""
    return archives.read(FORMATS / name for name in ("2.zip", "3.zip"))


@pytest.fixture(scope="module")
def page(both):
    return archives.html(both)


def test_each_number_leads_to_its_runs_on_the_page_of_its_archive(both, page):
    links = re.findall(r'class="entry" href="\./(.*?)#configuration=(\d+)"', page)
    assert {file for file, _ in links} == {archive.page for archive in both}
    study = archives.page(both[0])
    for file, number in links:
        if file == both[0].page:
            assert f'id="configuration-{number}"' in study


def test_an_archive_that_holds_its_study_says_how_to_repeat_it(both):
    results = replace(both[0].results, has_study=True)
    assert "snakemake --configfile study.json" in archives.page(both[0]._replace(results=results))
    assert "Measure it again" not in archives.page(both[0])


def test_processors_of_one_name_have_a_column_each(both, page):
    assert both[0].name.endswith("3.zip")
    model = both[0].results.records[0]["provenance"]["host"]["model"]
    columns = re.findall(r'<th scope="col"><b>(.*?)</b><br><small>(.*?)</small>', page)
    assert len({machine for machine, _ in columns}) == 1
    processors = {processor for _, processor in columns}
    assert "processor not described" in processors
    assert any(processor.startswith(f"{model}; ") for processor in processors)


def test_vector_instructions_are_named_by_their_families():
    host = {"model": None, "vectors": "amx_bf16 amx_int8 avx avx2 avx512bw fma", "caches": None}
    assert archives.processor_of({"provenance": {"host": host}}) == "amx avx avx2 avx512 fma"


def test_the_newest_archive_comes_first(both):
    newest = both[0]
    copy = newest._replace(
        name="recorded/later.zip",
        results=replace(
            newest.results,
            records=[
                {
                    **record,
                    "provenance": {**record["provenance"], "started": "2100-01-01T00:00:00+00:00"},
                }
                for record in newest.results.records
            ],
        ),
    )
    times = re.findall(r'class="origin">([^,]+),', archives.html([copy, newest]))
    assert times[:2] == ["2100-01-01 00:00 UTC", f"{newest.results.began:%Y-%m-%d %H:%M} UTC"]


@pytest.mark.parametrize(
    ("changes", "ends"),
    [
        ({"steps": 40}, ("steps 20", "steps 40")),
        ({"image_shape": [3, 64, 64]}, ("image shape [1, 28, 28]", "image shape [3, 64, 64]")),
    ],
)
def test_cases_of_one_name_with_other_settings_stand_apart_and_say_why(both, changes, ends):
    results = both[0].results
    changed = [{**run, "job": {**run["job"], **changes}} for run in results.records]
    other = both[0]._replace(results=replace(results, records=changed))
    settings = re.findall(r'class="setting">(.*?)</p>', archives.html([both[0], other]))
    assert all(text.endswith(ends) for text in settings)
    assert all(any(text.endswith(end) for text in settings) for end in ends)


def test_names_in_archives_stay_text(both):
    results = both[0].results
    hostile = replace(
        results,
        place=HOSTILE,
        measurements=results.measurements.replace({"lenet-digits": HOSTILE}),
        records=[
            {**record, "job": {**record["job"], "case": HOSTILE}} for record in results.records
        ],
    )
    archive = both[0]._replace(name=HOSTILE, page=f'"{HOSTILE}', results=hostile)
    for text in (archives.html([archive]), archives.page(archive)):
        assert HOSTILE not in text
        assert "<img" not in text


def test_a_reader_is_told_of_disturbances_few_repeats_and_unknown_revisions(both):
    results = both[0].results
    noisy = [{**record, "disturbed": True} for record in results.records]
    strange = [
        {**record, "provenance": {**record["provenance"], "revision": "0" * 40}} for record in noisy
    ]
    remarks = list(archive_report.remarks(replace(results, records=strange), []))
    assert remarks[0] == "24 of 24 runs were disturbed in every attempt"
    assert remarks[1] == f"its revision isn't in this repository: {'0' * 40}"
    assert any("fewer than 3 repeats, 2" in remark for remark in remarks)


def test_a_reader_is_told_what_an_earlier_archive_of_the_hardware_says(both):
    newest, earlier = (archive.results for archive in both)
    speeds = newest.measurements["metric"].str.endswith("_speed")
    faster = newest.measurements["value"].mask(speeds, newest.measurements["value"] * 9)
    sped_up = replace(newest, measurements=newest.measurements.assign(value=faster))
    *ratios, last = archive_report.remarks(sped_up, [earlier])
    assert any(re.search(r"times formats/2\.zip", remark) for remark in ratios)
    assert re.fullmatch(r"\d+ of \d+ differ significantly from another archive", last)


def test_what_differs_in_all_of_an_archive_is_said_once(both):
    newest, earlier = (archive.results for archive in both)
    on_another_kernel = [
        {
            **record,
            "provenance": {
                **record["provenance"],
                "host": {**record["provenance"]["host"], "kernel": "another"},
            },
        }
        for record in newest.records
    ]
    remarks = archive_report.remarks(replace(newest, records=on_another_kernel), [earlier])
    (said,) = [remark for remark in remarks if "→ another" in remark]
    assert said.startswith("formats/2.zip differs in all of these: ")


def test_an_archive_with_faults_has_these_alone(tmp_path):
    faults, remarks = archive_report.report(FORMATS / "2.zip")
    assert faults == ["it isn't in the light form that `snakemake publish` makes"]
    assert remarks == []
    (tmp_path / "no.zip").write_bytes(b"no archive")
    assert len(archive_report.report(tmp_path / "no.zip")[0]) == 1


def test_a_large_archive_is_refused_unread(tmp_path):
    large = tmp_path / "large.zip"
    large.write_bytes(b"no zip" * 200_000)
    assert archive_report.report(large) == (["it has 1,200,000 bytes; at most 1,000,000"], [])


@pytest.mark.parametrize("place", ["javascript:alert(1)/x", "quick/later/today", "quick/today"])
def test_a_kept_archive_is_called_by_its_study_day_and_machine(tmp_path, monkeypatch, place):
    original = kept.path("quick/2026-11-26-amd-epyc-2-cores")
    monkeypatch.setattr(kept, "FOLDER", tmp_path)
    copy = kept.path(place)
    copy.parent.mkdir(parents=True)
    shutil.copy(original, copy)
    expected = "it is to be called quick/2026-11-26-amd-epyc-2-cores.zip"
    assert archive_report.report(copy)[0] == [expected]
    with pytest.raises(UnfitResults, match=expected):
        archives.read(kept.paths())


def test_a_link_is_no_kept_archive(tmp_path, monkeypatch):
    original = kept.path("quick/2026-11-26-amd-epyc-2-cores")
    monkeypatch.setattr(kept, "FOLDER", tmp_path)
    link = kept.path("javascript:alert(1)/x")
    link.parent.mkdir(parents=True)
    link.symlink_to(original)
    assert archive_report.report(link)[0] == ["it is a link; keep the archive itself"]


def test_markdown_from_an_archive_stays_text(capsys):
    archive_report.main([Path("a\n## b ![](c).zip")])
    lines = capsys.readouterr().out.splitlines()
    assert all(line.startswith("    ") for line in lines if line)


def test_the_report_ends_with_an_error_where_one_is_not_fit(capsys):
    assert not archive_report.main([FORMATS / "2.zip"])
    printed = capsys.readouterr().out
    assert "2.zip: not fit to be published" in printed
    assert archive_report.main(kept.paths()[:1])


def test_an_archive_has_a_name_that_none_has(tmp_path, monkeypatch):
    monkeypatch.setattr(kept, "FOLDER", tmp_path)
    (tmp_path / "quick").mkdir()
    for expected in ("today", "today-2", "today-3"):
        assert kept.free_name("quick", "today") == expected
        kept.path(f"quick/{expected}").touch()
    assert len(kept.paths()) == 3
