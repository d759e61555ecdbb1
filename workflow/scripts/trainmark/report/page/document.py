"""A page as one HTML file: everything that it shows and executes is within it."""

import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import altair
import jinja2
import vl_convert
from markupsafe import Markup

from trainmark.report.page import figures
from trainmark.report.page.packing import packed
from trainmark.report.words.writers import Table

HERE = Path(__file__).parent
GLOBAL = "window.vegaEmbed = vegaEmbed;"


def html(
    title: str,
    sentences: Iterable[str] = (),
    tables: Iterable[Table] = (),
    drawings: Iterable[Path] = (),
    template: str = "page.html",
    **content: Any,
) -> str:
    """A page of tables and figures (SVG files with a CSV file beside each), below some sentences.

    Another template may show more, from its own content.
    """
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(HERE), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters |= {"packed": packed, "json": _json}
    drawn = list(figures.packed(drawings))
    return environment.get_template(template).render(
        title=title,
        sentences=list(sentences),
        tables=list(tables),
        figures=drawn,
        unpack=source("unpack.js"),
        address=source("address.js"),
        style=source("page.css"),
        script=source("page.js"),
        **content,
    )


def source(name: str) -> Markup:
    """The text of a style or script beside this file."""
    return Markup((HERE / name).read_text(encoding="utf-8"))


@cache
def library() -> str:
    """Vega, Vega-Lite in the version that Altair writes, and Vega-Embed, as a script's text."""
    version = altair.SCHEMA_VERSION.rpartition(".")[0]
    return vl_convert.javascript_bundle(GLOBAL, vl_version=version)


def _json(content: Any) -> str:
    return json.dumps(content, separators=(",", ":"))
