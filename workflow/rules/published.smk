"""Published: the studies that trainmark reproduces, from their published values, beside ours.

In: resources/published/<study>/; for the page of all studies also their measurements.
Out: results/published/<study>/: the study's tables and figures, and a page that shows them all.
The code for measured studies makes them too; nothing is trained.
results/published/<study>/<machine>/measurements.csv: a result set, for `combine` and `compare`.
results/index.html: a row for each study of the call, with links. The target `everything` is all
studies, the published ones, and this page.
"""

from trainmark.study import plugins
from trainmark.study.shortened import shortened

PUBLISHED_STUDIES = plugins.names("published study")
PUBLISHED_PAGE = "results/published/{published}/report.html"


def cut_short(plan, files):
    """What a study of these files has less of than it has whole, in sentences."""
    return " ".join(filter(None, [shortened(plan.config, files), plan.note]))


rule paper_figures:
    input:
        expand(PUBLISHED_PAGE, published=PUBLISHED_STUDIES),
    localrule: True
    message:
        "The studies as published"
    shell:
        "echo 'Tables and figures: results/published/, all of them on pages:' {input:q}"


rule published:
    input:
        lambda wildcards: published_files(wildcards.published),
    output:
        tables=directory("results/published/{published}/tables"),
        figures=directory("results/published/{published}/figures"),
        page=PUBLISHED_PAGE,
    wildcard_constraints:
        published="|".join(PUBLISHED_STUDIES),
    localrule: True
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        folder=f"{PUBLISHED}/{{published}}",
        code=lambda wildcards: digest.of_report(
            "published", "published study", wildcards.published
        ),
    message:
        "Draw the figures and tables of {wildcards.published} as published"
    script:
        "../scripts/published.py"


rule published_set:
    input:
        lambda wildcards: published_files(wildcards.published),
    output:
        PUBLISHED_SET,
    wildcard_constraints:
        published="|".join(PUBLISHED_STUDIES),
        result_set="[^/]+",
    localrule: True
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        folder=f"{PUBLISHED}/{{published}}",
        code=lambda wildcards: digest.of_report(
            "published_set", "published study", wildcards.published
        ),
    message:
        "Write the values of {wildcards.published} on {wildcards.result_set} as a result set"
    script:
        "../scripts/published_set.py"


rule index:
    input:
        measurements=expand("results/{study}/measurements.parquet", study=PLANS),
        pages=expand(PAGE, study=PLANS),
        published=expand(PUBLISHED_PAGE, published=PUBLISHED_STUDIES),
        published_data=lambda wildcards: [
            file for study in PUBLISHED_STUDIES for file in published_files(study)
        ],
    output:
        page=INDEX_PAGE,
        text=INDEX_TEXT,
    localrule: True
    threads: 1
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        # A function, so that only a call that makes the page reads each study's first file again.
        studies=lambda wildcards: {
            study: {
                "reproduces": plan.config.get("reproduces"),
                "note": cut_short(plan, STUDY_FILES[study]),
            }
            for study, plan in PLANS.items()
        },
        code=digest.of_report("index"),
    message:
        "Make the page of all studies {output.page}"
    script:
        "../scripts/index.py"


rule everything:
    input:
        to_measure,
        of_all_studies(report_files),
        index=INDEX_PAGE,
    message:
        "All studies are there"
