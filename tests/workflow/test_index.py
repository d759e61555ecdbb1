"""The page of all studies, made by the workflow from measurements that are there."""

from pathlib import Path

from reported_study import reported, snakemake

from trainmark.study import plugins


def test_the_page_of_all_studies_links_to_the_pages_that_are_there(tmp_path: Path) -> None:
    results = reported(tmp_path, "measurements.csv").parent
    pages = [results / "recorded" / "report.html"]
    pages += [
        results / "published" / name / "report.html" for name in plugins.names("published study")
    ]
    for page in pages:
        page.parent.mkdir(parents=True, exist_ok=True)
        page.touch()
    options = ("--cores", "1", "--allowed-rules", "index", "--config", "reproduces=thesis")
    snakemake(tmp_path, *options, "--", "results/index.html")
    page = (results / "index.html").read_text(encoding="utf-8")
    for link in ("recorded/report.html", "published/thesis/report.html"):
        assert f'<a href="{link}">' in page
        assert (results / link).exists()
    assert "recorded" in (results / "index.txt").read_text(encoding="utf-8")
