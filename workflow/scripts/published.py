"""Rule published: the tables and figures of a published study, by the file that knows the study."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from trainmark.errors import one_line_errors
from trainmark.report.show.outputs import save_figure, write_table
from trainmark.report.show.writers import FORMATS
from trainmark.study import plugins

snakemake: Any  # put here by Snakemake

ENDINGS = ("svg", "pdf", "png", "csv")


def main(study: str, folder: Path, tables: Path, figures: Path) -> None:
    """Make all that the study has, each table and each figure in every format."""
    plugin = plugins.load("published study", study)
    published = plugin.read(folder)
    for place in (tables, figures):
        place.mkdir(parents=True, exist_ok=True)
    for name, table in plugin.tables(published).items():
        write_table(table, paths(tables, name, FORMATS))
    for name, drawing in plugin.figures(published).items():
        save_figure(drawing.draw, drawing.data, paths(figures, name, ENDINGS))


def paths(folder: Path, name: str, endings: Iterable[str]) -> list[str]:
    """A file in each format."""
    return [f"{folder / name}.{ending}" for ending in endings]


if __name__ == "__main__":
    with one_line_errors():
        main(
            snakemake.wildcards.study,
            Path(snakemake.params.folder),
            Path(snakemake.output.tables),
            Path(snakemake.output.figures),
        )
