"""The page of all studies, made by the workflow from measurements that are there."""

from pathlib import Path

import yaml
from reported_study import reported, snakemake

from trainmark.study import plugins


def shorten(folder: Path) -> None:
    """Make the study of a folder a set of it, with fewer steps in one case."""
    study = folder / "study.yaml"
    whole = study.rename(folder / "whole.yaml")
    shorter = folder / "shorter.yaml"
    shorter.write_text("cases: {lenet-digits: {steps: 5}}\n", encoding="utf-8")
    study_set = {"studies": {"recorded": [str(whole), str(shorter)]}}
    study.write_text(yaml.safe_dump(study_set), encoding="utf-8")


def test_the_page_of_all_studies_links_to_the_pages_that_are_there(tmp_path: Path) -> None:
    results = reported(tmp_path, "measurements.csv").parent
    pages = [results / "recorded" / "report.html"]
    pages += [
        results / "published" / name / "report.html" for name in plugins.names("published study")
    ]
    for page in pages:
        page.parent.mkdir(parents=True, exist_ok=True)
        page.touch()
    shorten(tmp_path)
    options = ("--cores", "1", "--allowed-rules", "index", "--config", "reproduces=thesis")
    snakemake(tmp_path, *options, "--", "results/index.html")
    page = (results / "index.html").read_text(encoding="utf-8")
    for link in ("recorded/report.html", "published/thesis/report.html"):
        assert f'<a href="{link}">' in page
        assert (results / link).exists()
    assert "whole.yaml: steps 5 of 20 (lenet-digits)." in page
    assert "recorded" in (results / "index.txt").read_text(encoding="utf-8")
