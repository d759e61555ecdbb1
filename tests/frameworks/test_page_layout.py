"""Every kind of page in a real browser: it fits screens and paper, and is read in the dark."""

from pathlib import Path

import pandas as pd
import pytest
from recorded import FORMATS, STUDY

from trainmark.analyse.compare.configurations import main_values
from trainmark.analyse.published import studies
from trainmark.analyse.published.claim_verdicts import verdicts
from trainmark.analyse.published.result_sets import measurements
from trainmark.report.page import archives, document, index, study
from trainmark.report.page.runs import read
from trainmark.report.words.writers import table_of
from trainmark.study import plugins

PROBE = Path(__file__).parent / "probe_layout.py"
WIDTHS = ("360", "420", "1280")
LOWEST_CONTRAST = 4.5  # WCAG 2.2, level AA
KINDS = ("quick", "many_settings", "nothing_measured", "comparison", "studies", "archives")


def in_many_settings(recorded):
    """The study on two machines, in two precisions and six batch sizes."""
    return pd.concat(
        recorded.assign(machine_name=machine, precision=precision, batch_size=size)
        for machine in ("a", "b")
        for precision in ("float32", "bfloat16")
        for size in (1, 2, 4, 8, 16, 32)
    )


@pytest.fixture(scope="module")
def pages(recorded, sources, drawings):
    """A page of each kind, by its name."""
    runs = list(map(read, sorted(STUDY.rglob("run.json"))))
    failed = recorded.assign(
        value=None, status="failed", absent="no module named torch, in a long sentence of a log"
    )
    named = [
        run._replace(record={**run.record, "job": {**run.record["job"], "machine_name": machine}})
        for machine in ("a", "b")
        for run in runs
    ]
    of_study = {"steps": sources["steps"]}
    table = table_of(plugins.load("table", "summary"), recorded)
    thesis = verdicts(measurements(studies.published("thesis")))
    return {
        "quick": study.html(
            {**of_study, "measurements": recorded}, ["summary"], drawings, runs, "snakemake"
        ),
        "many_settings": study.html(
            {**of_study, "measurements": in_many_settings(recorded)}, ["summary"], [], named, "s"
        ),
        "nothing_measured": study.html(
            {**of_study, "measurements": failed}, ["summary"], [], runs, "snakemake"
        ),
        "comparison": document.html("Beside", ["A sentence."], [table], drawings),
        "studies": index.html(
            [index.Study("thesis", main_values(recorded), "report.html", None, "Short.", thesis)]
        ),
        "archives": archives.html(archives.read(FORMATS / name for name in ("2.zip", "3.zip"))),
    }


@pytest.fixture(scope="module")
def seen(pages, in_browser, tmp_path_factory):
    """What a browser tells of the pages."""
    folder = tmp_path_factory.mktemp("pages")
    paths = [folder / f"{name}.html" for name in pages]
    for path in paths:
        path.write_text(pages[path.stem], encoding="utf-8")
    return in_browser(PROBE, ",".join(WIDTHS), *paths)


@pytest.mark.parametrize("kind", KINDS)
def test_no_screen_has_to_scroll_sideways(seen, kind):
    for width, shown in seen[kind]["screens"].items():
        assert shown["width"] <= int(width)
        assert shown["beyond"] == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("kind", KINDS)
def test_texts_are_read_on_light_and_dark_grounds(seen, kind, scheme):
    contrasts = seen[kind][scheme]
    assert contrasts
    assert {name: value for name, value in contrasts.items() if value < LOWEST_CONTRAST} == {}


def test_every_text_of_a_kind_is_looked_at(seen):
    assert {"pill good", "pill calm", "pill warn"} <= seen["quick"]["light"].keys()


@pytest.mark.parametrize("kind", KINDS)
def test_paper_has_no_controls_and_nothing_is_cut_or_covered(seen, kind):
    printed = seen[kind]["printed"]
    assert printed["controls"] == []
    assert printed["cut"] == []
    assert printed["covering"] == []


def test_paper_has_results_evidence_and_tables(seen):
    assert seen["quick"]["printed"]["sections"] == ["Results", "Evidence", "Tables"]
