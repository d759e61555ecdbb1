"""Report: tables, figures and charts, each by one file of trainmark.report; and their page.

In: results/<study>/measurements.parquet, read faster than measurements.csv, or the CSV beside it
that a table or figure names as SOURCE.
Out: results/<study>/tables/<table>.{csv,md,txt,tex,html};
results/<study>/figures/<figure>/<figure>.{svg,csv}, the CSV with the plotted values;
results/<study>/charts/<case>/<metric>-<style>.{svg,csv}, for the metrics that the study names; both
in its `figure_formats`, too; results/<study>/report.html, a page with all of these.
"""

from trainmark.study import charts, plugins, settings_rows

TABLE_SUFFIXES = [".csv", ".md", ".txt", ".tex", ".html"]
TABLE = "results/{study}/tables/{table}"
FIGURE = "results/{study}/figures/{figure}/{figure}"
CHART = "results/{study}/charts/{case}/{metric}-{style}"
PAGE = "results/{study}/report.html"
INDEX_PAGE = "results/index.html"
INDEX_TEXT = "results/index.txt"


def applicable(kind, plan):
    """The names of the figures, or of the metrics, that apply to some run of a study."""
    settings = [run.settings for run in first_repeats(plan)]
    return plugins.applicable(kind, settings, plan.config.get("reproduces"))


def chart_files(plan):
    """The charts of each case of a study, for the requested metrics that one of its stages has."""
    requested = charts.of(plan.config)
    shown = applicable("metric", plan) if requested else ()
    return [
        f"{CHART}.svg".format(study=plan.study, case=case, metric=metric, style=style)
        for metric, style in requested
        if metric in shown
        for case in plan.config["cases"]
    ]


def table_files(plan):
    """The tables of a study."""
    names = [*plan.config["tables"], "settings"]
    return expand(f"{TABLE}.txt", study=plan.study, table=names)


@cache
def drawings(study):
    """The figures and charts of a study."""
    plan = PLANS[study]
    figures = expand(f"{FIGURE}.svg", study=study, figure=applicable("figure", plan))
    return [*figures, *chart_files(plan)]


def report_files(plan):
    """All that is made of a study's measurements: tables, figures, charts, and their page."""
    page = PAGE.format(study=plan.study)
    return [*table_files(plan), *drawings(plan.study), page]


def show_results():
    """Print each study's summary and the paths of the rest, if whole studies were requested.

    For the target `everything`, print a row for each study instead.
    """
    if requested_targets() == {"everything"} and Path(INDEX_TEXT).exists():
        print(f"\n{Path(INDEX_TEXT).read_text(encoding='utf-8')}")
        print(f"To look at all of it, open {INDEX_PAGE}")
    if requested_targets() - {"all"}:
        return
    for study, plan in PLANS.items():
        summary = Path(f"results/{study}/tables/summary.txt")
        if "summary" in plan.config["tables"] and summary.exists():  # not after --until
            print(f"\n{summary.read_text(encoding='utf-8')}")
        page = PAGE.format(study=study)
        print(
            f"Tables and figures: results/{study}/; to look at all of it, open {page}"
        )


def again(plan):
    """The command that makes a study's page again: the files and the values of --config."""
    files = study_files() if IS_OVERLAID else STUDY_FILES[plan.study]
    words = [PAGE.format(study=plan.study)] if IS_OVERLAID else []
    words += ["--configfile", *map(os.path.relpath, files)]
    if settings := config_arguments():
        words += ["--config", *settings]
    return f".venv/bin/snakemake {shlex.join(words)}"


rule parity:
    input:
        to_measure,
        tables=expand("results/{study}/tables/parity.txt", study=PLANS),
        figures=expand("results/{study}/figures/parity/parity.svg", study=PLANS),
    localrule: True
    message:
        "How far each framework is from the reference in each case"
    shell:
        "cat {input.tables:q}"


rule settings:
    output:
        multiext("results/{study}/tables/settings", *TABLE_SUFFIXES),
    localrule: True
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        rows=of_study(lambda plan: settings_rows.rows(plan.runs.values())),
        code=digest.of_report("settings"),
        note=of_study(lambda plan: plan.note),
    message:
        "Make the table of settings"
    script:
        "../scripts/settings.py"


def source(kind):
    """An input function: from wildcards to the file that the table or figure is made from."""

    def path(wildcards):
        facts = plugins.facts(kind, wildcards[kind])
        file = f"{facts['SOURCE']}.csv" if "SOURCE" in facts else "measurements.parquet"
        return f"results/{wildcards.study}/{file}"

    return path


def shown_published(kind, names):
    """The files of the published studies that some tables or figures show."""
    shown = (plugins.facts(kind, name).get("PUBLISHED", ()) for name in names)
    studies = dict.fromkeys(study for studies in shown for study in studies)
    return [file for study in studies for file in published_files(study)]


def published_beside(kind):
    """An input function: the files of the published studies that a table or figure shows."""
    return lambda wildcards: shown_published(kind, [wildcards[kind]])


rule table:
    input:
        published_beside("table"),
        source=source("table"),
    output:
        f"{TABLE}.csv",
        f"{TABLE}.md",
        f"{TABLE}.txt",
        f"{TABLE}.tex",
        report(
            f"{TABLE}.html",
            caption="../report/table.rst",
            category="Tables",
            labels={"study": "{study}", "table": "{table}"},
        ),
    wildcard_constraints:
        table="|".join(plugins.names("table")),
    localrule: True
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=lambda wildcards: digest.of_report("table", "table", wildcards.table),
        note=of_study(lambda plan: plan.note),
    message:
        "Make the table {wildcards.table}"
    script:
        "../scripts/table.py"


rule figure:
    input:
        published_beside("figure"),
        source=source("figure"),
    output:
        f"{FIGURE}.csv",
        report(
            f"{FIGURE}.svg",
            caption="../report/figure.rst",
            category="Figures",
            labels={"study": "{study}", "figure": "{figure}"},
        ),
        *(FIGURE + suffix for suffix in FIGURE_SUFFIXES),
    localrule: True
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=lambda wildcards: digest.of_report("figure", "figure", wildcards.figure),
        note=of_study(lambda plan: plan.note),
    message:
        "Draw the figure {wildcards.figure}"
    script:
        "../scripts/figure.py"


rule chart:
    input:
        measurements="results/{study}/measurements.parquet",
    output:
        f"{CHART}.csv",
        report(
            f"{CHART}.svg",
            caption="../report/chart.rst",
            category="Charts",
            labels={
                "study": "{study}",
                "case": "{case}",
                "metric": "{metric}",
                "style": "{style}",
            },
        ),
        *(CHART + suffix for suffix in FIGURE_SUFFIXES),
    wildcard_constraints:
        style="|".join(plugins.names("chart style")),
    localrule: True
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=lambda wildcards: digest.of_report("chart", "chart style", wildcards.style),
        note=of_study(lambda plan: plan.note),
    message:
        "Draw {wildcards.metric} of {wildcards.case}"
    script:
        "../scripts/chart.py"


def page_code(plan):
    """Digests of the code of a study's page and of the tables on it."""
    tables = plan.config["tables"]
    return [
        digest.of_report("page"),
        *(digest.of_report("table", "table", name) for name in tables),
    ]


rule page:
    input:
        sources=[
            path
            for path in rules.measurements.output
            if path != rules.measurements.output.measurements
        ],
        drawings=lambda wildcards: drawings(wildcards.study),
        published=of_study(lambda plan: shown_published("table", plan.config["tables"])),
    output:
        page=PAGE,
    localrule: True
    threads: 1
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        # No inputs, since the sources depend on the records already.
        records=all_records,
        code=of_study(page_code),
        tables=of_study(lambda plan: plan.config["tables"]),
        command=of_study(again),
    message:
        "Make the page {output.page}"
    script:
        "../scripts/page.py"
