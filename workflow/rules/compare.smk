"""Compare: the study's results beside other ones, and packed to be put beside those of others.

In: results/<study>/measurements.csv and the runs' run.json; the folder or the archive of a baseline
(`--config baseline=PATH`), those of other sources (`--config others='[PATH, PATH]'`), logs of
phones (`--config phones='{NAME: PATH}'`), or of runs that trainmark didn't start (`--config
logs='{NAME: {files: [PATH], …}}'`), which need no measurements of ours.
Out: results/<study>/comparison/ and results/<study>/combined/, each tables and a figure in every
format and a page of them, report.html; results/<study>/phones/, a table; results/<study>/adopted/,
a table and measurements.csv, so that it is a result set itself; results/<study>/<study>.zip, an
archive.
"""

from trainmark.packed import archive

FIGURE_FORMATS = ["svg", "pdf", "png"]
COMPARISON = f"results/{STUDY}/comparison/comparison"
COMBINED = f"results/{STUDY}/combined/combined"
SOURCES = f"results/{STUDY}/combined/sources"
PHONES = f"results/{STUDY}/phones/phones"
ADOPTED = f"results/{STUDY}/adopted"
ARCHIVE = f"results/{STUDY}/{STUDY}.zip"


def measurements_of(key, place):
    """The measurements in a folder of results, or the archive; missed before anything is trained."""
    path = Path(place, "measurements.csv")
    with one_line_errors():
        if Path(place).is_file():
            archive.check(Path(place))
            return place
        if not path.is_file():
            fault = (
                "holds no measurements.csv" if Path(place).is_dir() else "isn't there"
            )
            raise plan.StudyError(
                f"{key}: {place!r} {fault}; give the folder of a study's results, or the archive "
                "that `pack` makes of them (of one that is unpacked: its folder data)"
            )
    return str(path)


def measurements_of_baseline(wildcards):
    baseline = PLAN.config.get("baseline")
    with one_line_errors():
        if baseline is None:
            raise plan.StudyError(
                "compare needs earlier results, a folder or an archive: --config baseline=PATH"
            )
        if Path(baseline) == Path(ARCHIVE):
            raise plan.StudyError(
                f"baseline: {baseline!r} is packed anew whenever the study is measured; "
                "give a copy of it in another place"
            )
    return measurements_of("baseline", baseline)


def combined_measurements(wildcards):
    others = [measurements_of("others", place) for place in PLAN.config["others"]]
    return [f"results/{STUDY}/measurements.csv", *others]


def logs_of(key, what, paths):
    """The files of a key of logs, missed before anything is trained; `paths` are those by name."""
    with one_line_errors():
        if not paths:
            raise plan.StudyError(what)
        for name, path in paths:
            if not Path(path).is_file():
                raise plan.StudyError(f"{key}: {name}: {path!r} is no file")
    return [path for _, path in paths]


def logs_of_phones(wildcards):
    needed = "phones needs the logs of benchmark_model: --config phones='{NAME: PATH}'"
    return logs_of("phones", needed, PLAN.config["phones"].items())


def logs_from_elsewhere(wildcards):
    needed = (
        "adopt needs logs, and what they are of: --config logs='{NAME: {files: [PATH], dialect: …, "
        "framework: …, network: …, batch_size: …, machine: …}}'"
    )
    logs = PLAN.config["logs"]
    with one_line_errors():
        for log in logs.values():
            plugins.path("dialect", log["dialect"])
    return logs_of(
        "logs",
        needed,
        [(name, path) for name, log in logs.items() for path in log["files"]],
    )


rule comparison:
    input:
        measurements=f"results/{STUDY}/measurements.csv",
        baseline=measurements_of_baseline,
        records=all_records,
    output:
        tables=multiext(COMPARISON, *(f".{form}" for form in TABLE_FORMATS)),
        figures=multiext(COMPARISON, *(f".{form}" for form in FIGURE_FORMATS)),
        page=f"results/{STUDY}/comparison/report.html",
    log:
        f"results/logs/comparison/{STUDY}.log",
    localrule: True
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
    localrule: True
    params:
        tolerance_percent=PLAN.config["tolerance_percent"],
    message:
        "What became faster or slower"
    script:
        "../scripts/compare.py"


rule combined:
    input:
        sources=combined_measurements,
        records=all_records,
    output:
        tables=multiext(COMBINED, *(f".{form}" for form in TABLE_FORMATS)),
        of_sources=multiext(SOURCES, *(f".{form}" for form in TABLE_FORMATS)),
        figures=multiext(COMBINED, *(f".{form}" for form in FIGURE_FORMATS)),
        page=f"results/{STUDY}/combined/report.html",
    log:
        f"results/logs/combined/{STUDY}.log",
    localrule: True
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=digest.of_report("combined"),
        note=PLAN.note,
    message:
        "Put the results of all sources together"
    script:
        "../scripts/combined.py"


rule combine:
    input:
        table=f"{COMBINED}.txt",
    localrule: True
    message:
        "Each machine's speed, one machine a column"
    shell:
        "cat {input.table:q}"


rule pack:
    input:
        measurements=f"results/{STUDY}/measurements.csv",
        records=all_records,
    output:
        archive=ARCHIVE,
    log:
        f"results/logs/pack/{STUDY}.log",
    localrule: True
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        study=STUDY,
        code=digest.of_script("pack"),
    message:
        "Pack the results: {output.archive}"
    script:
        "../scripts/pack.py"


rule phone_logs:
    input:
        logs_of_phones,
        measurements=f"results/{STUDY}/measurements.csv",
    output:
        multiext(PHONES, *(f".{form}" for form in TABLE_FORMATS)),
    log:
        f"results/logs/phone_logs/{STUDY}.log",
    localrule: True
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
    localrule: True
    message:
        "The study's models on phones and here"
    shell:
        "cat {input.table:q}"


rule adopted:
    input:
        logs_from_elsewhere,
    output:
        measurements=f"{ADOPTED}/measurements.csv",
        parquet=f"{ADOPTED}/measurements.parquet",
        tables=multiext(f"{ADOPTED}/adopted", *(f".{form}" for form in TABLE_FORMATS)),
    log:
        f"results/logs/adopted/{STUDY}.log",
    localrule: True
    threads: 1
    resources:
        mem_mb=1000,
        runtime=30,
    params:
        study=STUDY,
        logs=PLAN.config["logs"],
        code=digest.of_script("adopted", "dialect", "metric"),
    message:
        "Read logs of runs from elsewhere"
    script:
        "../scripts/adopted.py"


rule adopt:
    input:
        table=f"{ADOPTED}/adopted.txt",
    localrule: True
    message:
        "The speeds that logs from elsewhere state"
    shell:
        "cat {input.table:q}"
