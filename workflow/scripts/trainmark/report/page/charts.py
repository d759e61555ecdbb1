"""The charts of the page, in Vega-Lite; the page's own controls choose the values to show.

The controls set parameters of the chart: metric, the filters by their names, divisor (of values)
and logarithmic. The type of a scale can't be a parameter in Vega-Lite. So a logarithmic axis is a
linear axis of logarithms, with labels that show the original values.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import altair as alt
import pandas as pd

from trainmark.report.page.values import ANY
from trainmark.report.words import cells

LABELS = (
    "logarithmic == 'yes' ? format(pow(10, datum.value), ',.3~r') : format(datum.value, ',.6~r')"
)
ROW_PIXELS, LABEL_PIXELS = 22, 420
# A logarithmic axis can't show an interval's end at 0 or below: this side is drawn a decade long.
SHOWN = {
    "shown": "datum.value",
    "low_shown": "(datum.low > 0 || logarithmic == 'no' ? datum.low : datum.value / 10)",
    "high_shown": "datum.high",
}


def of_case(
    listed: pd.DataFrame, rows: Sequence[Mapping[str, Any]], metric: str, filters: Sequence[str]
) -> dict[str, Any]:
    """The chart of a case: a line per configuration, with its mean, 95 % interval and runs.

    `listed` has the configurations by their numbers, `rows` their values. Returns Vega-Lite's JSON.
    """
    description = (
        f"Chart of {listed['case'].iloc[0]}: the chosen metric of its "
        f"{cells.counted(len(listed), 'configuration')}. Its CSV file has the values."
    )
    sized = {"height": ROW_PIXELS * len(listed), "description": description}
    columns = ["label", "framework_colour", *filters]
    configurations = listed[columns].astype(str).reset_index(names="configuration")
    data = {"rows": list(rows), "configurations": configurations.to_dict("records")}
    return {**_chart_of(metric, tuple(filters)), **sized, "datasets": data}


@cache
def _chart_of(metric: str, filters: tuple[str, ...]) -> dict[str, Any]:
    """The chart of any case, without its data."""
    controls = [
        alt.param("metric", value=metric),
        alt.param("divisor", value=1),
        alt.param("logarithmic", value="no"),
        *(alt.param(name, value=ANY) for name in filters),
    ]
    chosen = _chosen(alt.Chart(alt.NamedData("rows")), filters)
    layered = alt.layer(*_layers(chosen)).add_params(*controls)
    return dict(layered.properties(width="container").to_dict())


def _layers(chosen: alt.Chart) -> Iterator[alt.Chart]:
    """The layers: intervals, runs, means, and the reasons of missing values."""
    axis, scale = alt.Axis(labelExpr=LABELS), alt.Scale(zero=False, padding=12)
    along = alt.X("shown:Q", title=None, axis=axis, scale=scale)
    axis = alt.Axis(labelLimit=LABEL_PIXELS)
    across = alt.Y("label:N", title=None, sort=alt.SortField("place"), axis=axis)
    lines = chosen.encode(y=across, tooltip=["label:N", "text:N"], description="in_words:N")
    marks = lines.encode(color=alt.Color("framework_colour:N", scale=None))
    means = marks.transform_filter("datum.kind == 'mean'")
    intervals = means.transform_calculate(shown="datum.low_shown").mark_rule(
        strokeWidth=2, aria=False
    )
    yield intervals.encode(x=along, x2="high_shown:Q")
    runs = marks.transform_filter("datum.kind == 'run'")  # which study.js makes of the means' runs
    yield runs.mark_tick(thickness=1, opacity=0.6, height=10).encode(x=along)
    yield means.mark_point(filled=True, size=90, opacity=1).encode(x=along)
    reasons = lines.transform_filter("datum.kind == 'none'")
    limit = alt.ExprRef("width - 8")  # the tooltip has the whole text
    text = reasons.mark_text(align="left", fontStyle="italic", opacity=0.8, limit=limit)
    yield text.encode(x=alt.value(4), text="text:N")


def _chosen(chart: alt.Chart, filters: Sequence[str]) -> alt.Chart:
    """The rows that the controls select, with their positions along the axis."""
    looked_up = alt.LookupData(
        data=alt.NamedData("configurations"),
        key="configuration",
        fields=["label", "framework_colour", *filters],
    )
    rows = chart.transform_filter("datum.metric == metric").transform_lookup(
        lookup="configuration", from_=looked_up
    )
    for name in filters:
        rows = rows.transform_filter(f"{name} == '{ANY}' || datum.{name} == {name}")
    means = "datum.kind == 'mean' ? datum.value : null"
    rows = rows.transform_calculate(mean=means, in_words="datum.label + ': ' + datum.text")
    rows = rows.transform_joinaggregate(configuration_mean="max(mean)", groupby=["configuration"])
    for name, value in SHOWN.items():
        ratio = f"{value} / divisor"
        rows = rows.transform_calculate(
            **{name: f"logarithmic == 'yes' ? log({ratio}) / LN10 : {ratio}"}
        )
    order = "datum.higher === false ? datum.configuration_mean : -datum.configuration_mean"
    return rows.transform_calculate(place=f"datum.kind == 'none' ? 1e300 : {order}")


def curves(
    title: str, points: Sequence[Mapping[str, Any]], windows: Sequence[float]
) -> dict[str, Any]:
    """A chart with a curve per run and the window marked.

    `points` have x (seconds since the run's window began), y and run; `windows` are lengths in
    seconds.
    """
    edges = [{"edge": edge} for end in windows for edge in (0, end)]
    description = f"Chart of the {title} of each run, over the seconds since its window began."
    data = {"points": list(points), "edges": edges}
    return {**_curves_of(title), "description": description, "datasets": data}


@cache
def _curves_of(title: str) -> dict[str, Any]:
    scale = alt.Scale(scheme="viridis")
    line = alt.Chart(alt.NamedData("points")).mark_line(strokeWidth=1.5)
    line = line.encode(
        x=alt.X("x:Q", title="seconds since the window began"),
        y=alt.Y("y:Q", title=title),
        color=alt.Color("run:N", title=None, scale=scale, legend=alt.Legend(orient="top")),
        tooltip=["run:N", "x:Q", "y:Q"],
    )
    edges = alt.Chart(alt.NamedData("edges")).mark_rule(strokeDash=[3, 3], opacity=0.5)
    layered = alt.layer(line, edges.encode(x="edge:Q"))
    return dict(layered.properties(width="container", height=120).to_dict())
