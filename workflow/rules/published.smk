"""Published: the studies that trainmark reproduces, from their published values.

In: resources/published/<study>/.
Out: results/published/<study>/, the tables and figures of the study, made by the code that makes
ours, without any training.
"""

PUBLISHED = os.path.relpath(f"{workflow.current_basedir}/../../resources/published")


rule paper_figures:
    input:
        "results/published/thesis/figures",
    message:
        "The thesis as published"
    shell:
        "echo 'Tables and figures: results/published/thesis/'"


rule published:
    input:
        values=f"{PUBLISHED}/thesis/values.csv",
        settings=f"{PUBLISHED}/thesis/settings.csv",
    output:
        tables=directory("results/published/thesis/tables"),
        figures=directory("results/published/thesis/figures"),
    log:
        "results/logs/published/thesis.log",
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=digest.of_report("published"),
    message:
        "Draw the figures and tables of the thesis as published"
    script:
        "../scripts/published.py"
