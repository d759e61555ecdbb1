"""Rule published: the tables and figures of a published study, by the file that knows the study."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from trainmark.errors import one_line_errors
from trainmark.files import write_text
from trainmark.report.draw.saving import save_figure
from trainmark.report.page import document
from trainmark.report.words.writers import FORMATS, write_table
from trainmark.study import plugins

snakemake: Any  # put here by Snakemake

AS_PUBLISHED = "Nothing was measured here: all values are as published."
ENDINGS = ("svg", "pdf", "png", "csv")


def main(study: str, folder: Path, tables: Path, figures: Path, page: Path) -> None:
    """Make all that the study has, each table and each figure in every format, and their page."""
    plugin = plugins.load("published study", study)
    published = plugin.read(folder)
    for output in (tables, figures):
        output.mkdir(parents=True, exist_ok=True)
    made, drawings = plugin.tables(published), plugin.figures(published)
    for name, table in made.items():
        write_table(table, paths(tables, name, FORMATS))
    for name, drawing in drawings.items():
        save_figure(drawing.draw, drawing.data, paths(figures, name, ENDINGS))
    drawn = [figures / f"{name}.svg" for name in drawings]
    sentences = [plugin.__doc__.splitlines()[0], AS_PUBLISHED]
    write_text(document.html(f"{study}, as published", sentences, made.values(), drawn), page)


def paths(folder: Path, name: str, endings: Iterable[str]) -> list[str]:
    """A file in each format."""
    return [f"{folder / name}.{ending}" for ending in endings]


if __name__ == "__main__":
    with one_line_errors():
        main(
            snakemake.wildcards.published,
            Path(snakemake.params.folder),
            Path(snakemake.output.tables),
            Path(snakemake.output.figures),
            Path(snakemake.output.page),
        )
