"""The page as one HTML file: everything that it shows and executes is within it."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import altair
import jinja2
import pandas as pd
import vl_convert
from markupsafe import Markup

from trainmark.report.page import charts, details, sentences, values
from trainmark.report.show import cells
from trainmark.report.show.outputs import table_of
from trainmark.report.show.writers import Table
from trainmark.study import plugins

HERE = Path(__file__).parent
GLOBAL = "window.vegaEmbed = vegaEmbed;"


def html(
    sources: Mapping[str, pd.DataFrame],
    tables: Sequence[str],
    records: Sequence[Path],
    command: str,
) -> str:
    """The page of a study, from its sources, with these tables, and the run.json of each run.

    `command` is what runs the study, to which a configuration's target is added.
    """
    measurements = sources["measurements"]
    listed = values.listed(measurements)
    filters, metrics = values.filters(listed), values.metrics(measurements)
    told = details.of_each(listed, records, sources["steps"])
    template = jinja2.Environment(
        loader=jinja2.FileSystemLoader(HERE), autoescape=True, trim_blocks=True, lstrip_blocks=True
    ).get_template("page.html")
    return template.render(
        study=measurements["study"].iloc[0],
        sentences=sentences.sentences(measurements, details.days(told)),
        metrics={name: cells.heading(name) for name in metrics},
        filters=filters,
        cases=list(dict.fromkeys(listed["case"])),
        charts=_data(_charts(measurements, listed, metrics, filters)),
        curves=_data({one["number"]: one["charts"] for one in told}),
        tables=[_table(name, sources) for name in tables],
        configurations=told,
        command=command,
        style=Markup((HERE / "page.css").read_text(encoding="utf-8")),
        script=Markup((HERE / "page.js").read_text(encoding="utf-8")),
        library=Markup(library()),
    )


def library() -> str:
    """Vega, Vega-Lite in the version that Altair writes, and Vega-Embed, as a script's text."""
    version = altair.SCHEMA_VERSION.rpartition(".")[0]
    return vl_convert.javascript_bundle(GLOBAL, vl_version=version).replace(
        "</script", "<\\/script"
    )


def _table(name: str, sources: Mapping[str, pd.DataFrame]) -> Table:
    plugin = plugins.load("table", name)
    return table_of(plugin, sources[getattr(plugin, "SOURCE", "measurements")])


def _charts(
    measurements: pd.DataFrame,
    listed: pd.DataFrame,
    metrics: Sequence[str],
    filters: Mapping[str, Sequence[str]],
) -> dict[str, Any]:
    """The chart of each case, by its name."""
    rows = pd.DataFrame(values.rows(measurements))
    found = {}
    for case, own in listed.groupby("case", sort=False):
        chosen = rows[rows["configuration"].isin(own.index)]
        plain = [_without_nothing(row) for row in chosen.to_dict("records")]
        found[str(case)] = charts.of_case(own, plain, metrics[0], list(filters))
    return found


def _without_nothing(row: Mapping[Any, Any]) -> dict[str, Any]:
    return {str(name): value for name, value in row.items() if not pd.isna(value)}


def _data(content: Any) -> Markup:
    """JSON that no text within it can end as a script."""
    return Markup(json.dumps(content, separators=(",", ":")).replace("<", "\\u003c"))
