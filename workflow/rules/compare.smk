"""Compare: the study's results beside other ones.

In: results/<study>/measurements.csv and the runs' run.json; the folder of a baseline
(`--config baseline=PATH`), those of other machines (`--config others='[PATH, PATH]'`), or logs of
phones (`--config phones='{NAME: PATH}'`).
Out: results/<study>/comparison/ and results/<study>/machines/, each a table and a figure in every
format and a page of both, report.html; results/<study>/phones/, a table.
"""

FIGURE_FORMATS = ["svg", "pdf", "png"]
COMPARISON = f"results/{STUDY}/comparison/comparison"
MACHINES = f"results/{STUDY}/machines/machines"
PHONES = f"results/{STUDY}/phones/phones"


def measurements_of(key, folder):
    """The measurements in a folder of results, missed before anything is trained."""
    path = Path(folder, "measurements.csv")
    with one_line_errors():
        if not path.is_file():
            raise plan.StudyError(
                f"{key}: {folder!r} holds no measurements.csv; "
                "give the folder of a study's results"
            )
    return str(path)


def measurements_of_baseline(wildcards):
    with one_line_errors():
        if "baseline" not in PLAN.config:
            raise plan.StudyError(
                "compare needs the folder of earlier results: --config baseline=PATH"
            )
    return measurements_of("baseline", PLAN.config["baseline"])


def measurements_of_machines(wildcards):
    others = [measurements_of("others", folder) for folder in PLAN.config["others"]]
    return [f"results/{STUDY}/measurements.csv", *others]


def logs_of_phones(wildcards):
    logs = PLAN.config["phones"]
    with one_line_errors():
        if not logs:
            raise plan.StudyError(
                "phones needs the logs of benchmark_model: --config phones='{NAME: PATH}'"
            )
        for name, path in logs.items():
            if not Path(path).is_file():
                raise plan.StudyError(f"phones: {name}: {path!r} is no file")
    return list(logs.values())


rule comparison:
    input:
        measurements=f"results/{STUDY}/measurements.csv",
        baseline=measurements_of_baseline,
        records=run_records(),
    output:
        tables=multiext(COMPARISON, *(f".{form}" for form in TABLE_FORMATS)),
        figures=multiext(COMPARISON, *(f".{form}" for form in FIGURE_FORMATS)),
        page=f"results/{STUDY}/comparison/report.html",
    log:
        f"results/logs/comparison/{STUDY}.log",
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=digest.of_report("comparison"),
        note=PLAN.note,
    message:
        "Compare with the baseline"
    script:
        "../scripts/comparison.py"


rule compare:
    input:
        text=f"{COMPARISON}.txt",
        numbers=f"{COMPARISON}.csv",
    params:
        tolerance_percent=PLAN.config["tolerance_percent"],
    message:
        "What became faster or slower"
    script:
        "../scripts/compare.py"


rule merge:
    input:
        sources=measurements_of_machines,
    output:
        tables=multiext(MACHINES, *(f".{form}" for form in TABLE_FORMATS)),
        figures=multiext(MACHINES, *(f".{form}" for form in FIGURE_FORMATS)),
        page=f"results/{STUDY}/machines/report.html",
    log:
        f"results/logs/merge/{STUDY}.log",
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=digest.of_report("merge"),
        note=PLAN.note,
    message:
        "Put the results of all machines together"
    script:
        "../scripts/merge.py"


rule machines:
    input:
        table=f"{MACHINES}.txt",
    message:
        "Each machine's speed, one machine a column"
    shell:
        "cat {input.table:q}"


rule phone_logs:
    input:
        logs_of_phones,
        measurements=f"results/{STUDY}/measurements.csv",
    output:
        multiext(PHONES, *(f".{form}" for form in TABLE_FORMATS)),
    log:
        f"results/logs/phone_logs/{STUDY}.log",
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        logs=PLAN.config["phones"],
        code=digest.of_report("phone_logs"),
    message:
        "Put what phones said beside what was measured here"
    script:
        "../scripts/phone_logs.py"


rule phones:
    input:
        table=f"{PHONES}.txt",
    message:
        "The study's models on phones and here"
    shell:
        "cat {input.table:q}"
