"""Published: the studies that trainmark reproduces, from their published values.

In: resources/published/<study>/.
Out: results/published/<study>/: the study's tables and figures, and a page that shows them all.
The code for measured studies makes them too; nothing is trained.
"""

from trainmark.study import plugins

PUBLISHED_STUDIES = plugins.names("published study")


rule paper_figures:
    input:
        expand("results/published/{study}/report.html", study=PUBLISHED_STUDIES),
    localrule: True
    message:
        "The studies as published"
    shell:
        "echo 'Tables and figures: results/published/, all of them on pages:' {input:q}"


rule published:
    input:
        lambda wildcards: published_files(wildcards.study),
    output:
        tables=directory("results/published/{study}/tables"),
        figures=directory("results/published/{study}/figures"),
        page="results/published/{study}/report.html",
    log:
        "results/logs/published/{study}.log",
    wildcard_constraints:
        study="|".join(PUBLISHED_STUDIES),
    localrule: True
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        folder=f"{PUBLISHED}/{{study}}",
        code=lambda wildcards: digest.of_report(
            "published", "published study", wildcards.study
        ),
    message:
        "Draw the figures and tables of {wildcards.study} as published"
    script:
        "../scripts/published.py"
