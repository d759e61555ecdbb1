"""Report: tables, figures and charts, each by one file of trainmark.report; and their page.

In: results/<study>/measurements.csv, or the CSV beside it that a table or figure names as SOURCE.
Out: results/<study>/tables/<table>.{csv,md,txt,tex,html};
results/<study>/figures/<figure>/<figure>.{svg,pdf,png,csv}, the CSV with the plotted values;
results/<study>/charts/<case>/<metric>-<style>.{svg,pdf,png,csv}, for the metrics that the study
names; results/<study>/report.html, a page with all of these; results/<study>/mlruns, the runs for
MLflow.
"""

from trainmark.study import charts, paths, plugins, settings_rows

TABLE_FORMATS = ["csv", "md", "txt", "tex", "html"]
TABLE = f"results/{STUDY}/tables/{{table}}"
FIGURE = f"results/{STUDY}/figures/{{figure}}/{{figure}}"
CHART = f"results/{STUDY}/charts/{{case}}/{{metric}}-{{style}}"


def showing(kind):
    """The names of the figures, or of the metrics, that apply to some run of this study."""
    return plugins.showing(kind, [run.settings for run in PLAN.runs.values()])


def chart_files():
    """The charts of each case, for the requested metrics that a stage of the study has."""
    shown = showing("metric")
    named = [chart for chart in charts.of(PLAN.config) if chart.metric in shown]
    return [
        f"{CHART}.svg".format(case=case, metric=metric, style=style)
        for metric, style in named
        for case in PLAN.config["cases"]
    ]


TABLES = expand(f"{TABLE}.txt", table=[*PLAN.config["tables"], "settings"])
FIGURES = expand(f"{FIGURE}.svg", figure=showing("figure"))
CHARTS = chart_files()
PAGE = f"results/{STUDY}/report.html"


def show_results():
    """Print the summary and the paths of the rest, if the whole study was requested."""
    if requested_targets() - {"all"}:
        return
    summary = Path(f"results/{STUDY}/tables/summary.txt")
    if "summary" in PLAN.config["tables"] and summary.exists():  # not after --until
        print(f"\n{summary.read_text(encoding='utf-8')}")
    print(f"Tables and figures: results/{STUDY}/; to look at all of it, open {PAGE}")


def again():
    """The command that makes this study again: its study files and its values of --config."""
    words = ["--configfile", *map(os.path.relpath, study_files())]
    if settings := config_arguments():
        words += ["--config", *settings]
    return f".venv/bin/snakemake {shlex.join(words)}"


rule parity:
    input:
        RETRIED,
        table=f"results/{STUDY}/tables/parity.txt",
        figure=f"results/{STUDY}/figures/parity/parity.svg",
    localrule: True
    message:
        "How far each framework is from the reference in each case"
    shell:
        "cat {input.table:q}"


rule settings:
    output:
        multiext(
            f"results/{STUDY}/tables/settings", *(f".{form}" for form in TABLE_FORMATS)
        ),
    log:
        f"results/logs/settings/{STUDY}.log",
    localrule: True
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        rows=settings_rows.rows(PLAN.runs.values()),
        code=digest.of_report("settings"),
        note=PLAN.note,
    message:
        "Make the table of settings"
    script:
        "../scripts/settings.py"


def source(kind):
    """An input function: from wildcards to the CSV that the table or figure is made from."""

    def path(wildcards):
        facts = plugins.facts(kind, wildcards[kind])
        return f"results/{STUDY}/{facts.get('SOURCE', 'measurements')}.csv"

    return path


def published_beside(wildcards):
    """The files of the published study that a table shows beside this one: often none."""
    study = plugins.facts("table", wildcards.table).get("PUBLISHED")
    return published_files(study) if study else []


rule table:
    input:
        published_beside,
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
            labels={"table": "{table}"},
        ),
    log:
        f"results/logs/table/{STUDY}/{{table}}.log",
    wildcard_constraints:
        table="|".join(plugins.names("table")),
    localrule: True
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=lambda wildcards: digest.of_report("table", "table", wildcards.table),
        note=PLAN.note,
    message:
        "Make the table {wildcards.table}"
    script:
        "../scripts/table.py"


rule figure:
    input:
        source=source("figure"),
    output:
        f"{FIGURE}.csv",
        report(
            f"{FIGURE}.svg",
            caption="../report/figure.rst",
            category="Figures",
            labels={"figure": "{figure}"},
        ),
        f"{FIGURE}.pdf",
        f"{FIGURE}.png",
    log:
        f"results/logs/figure/{STUDY}/{{figure}}.log",
    localrule: True
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=lambda wildcards: digest.of_report("figure", "figure", wildcards.figure),
        note=PLAN.note,
    message:
        "Draw the figure {wildcards.figure}"
    script:
        "../scripts/figure.py"


rule chart:
    input:
        measurements=f"results/{STUDY}/measurements.csv",
    output:
        f"{CHART}.csv",
        report(
            f"{CHART}.svg",
            caption="../report/chart.rst",
            category="Charts",
            labels={"case": "{case}", "metric": "{metric}", "style": "{style}"},
        ),
        f"{CHART}.pdf",
        f"{CHART}.png",
    log:
        f"results/logs/chart/{STUDY}/{{case}}/{{metric}}-{{style}}.log",
    wildcard_constraints:
        style="|".join(plugins.names("chart style")),
    localrule: True
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=lambda wildcards: digest.of_report("chart", "chart style", wildcards.style),
        note=PLAN.note,
    message:
        "Draw {wildcards.metric} of {wildcards.case}"
    script:
        "../scripts/chart.py"


rule page:
    input:
        sources=[path for path in rules.measurements.output if path.endswith(".csv")],
        drawings=[*FIGURES, *CHARTS],
    output:
        page=PAGE,
    log:
        f"results/logs/page/{STUDY}.log",
    localrule: True
    threads: 1
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        # No inputs, since the sources depend on the records already.
        records=all_records,
        code=[
            digest.of_report("page"),
            *(
                digest.of_report("table", "table", name)
                for name in PLAN.config["tables"]
            ),
        ],
        tables=PLAN.config["tables"],
        command=again(),
    message:
        "Make the page {output.page}"
    script:
        "../scripts/page.py"


rule mlflow_runs:
    input:
        measurements=f"results/{STUDY}/measurements.csv",
        losses=f"results/{STUDY}/losses.csv",
        records=all_records,
        lock=paths.INSTALLED_LOCK.format(environment="mlflow"),
        environment=ancient(paths.ENVIRONMENT_COMPLETE.format(environment="mlflow")),
        writer=f"{SCRIPTS}/worker/exports/mlflow_runs.py",
    output:
        directory(f"results/{STUDY}/mlruns"),
    log:
        f"results/logs/mlflow_runs/{STUDY}.log",
    localrule: True
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=digest.of_script("mlflow_runs", "csv"),
    message:
        "Write the runs for MLflow: mlflow ui --backend-store-uri {output}"
    script:
        "../scripts/mlflow_runs.py"
