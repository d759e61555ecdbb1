"""Compare: the study's results beside other results.

In: results/<study>/measurements.csv and the runs' run.json; and for the target
  compare: an earlier result, a folder or an archive (`--config baseline=PATH`);
  combine: results of other machines or people (`--config others='[PATH, PATH]'`);
    for both, published values (`published:<study>`, `published:<study>/<machine>`);
  phones: logs of benchmark_model (`--config phones='{NAME: PATH}'`);
  adopt: logs of runs that trainmark didn't start (`--config logs='{NAME: {files: [PATH], …}}'`),
  and no measurements of the study.
Out: results/<study>/comparison/ and results/<study>/combined/: tables, a figure, and report.html,
a page that shows them; results/<study>/phones/: a table; results/<study>/adopted/: a table and
measurements.csv, a result set of its own.
"""

COMPARISON = "results/{study}/comparison/comparison"
COMBINED = "results/{study}/combined/combined"
SOURCES = "results/{study}/combined/sources"
PHONES = "results/{study}/phones/phones"
ADOPTED = "results/{study}/adopted"
PUBLISHED_SET = "results/published/{published}/{result_set}/measurements.csv"


@cache
def check_result_set(path):
    """Read an archive or a measurements.csv with its runs, before anything is trained."""
    from trainmark.analyse.sets import result_set  # pandas would slow every call down

    result_set.read(Path(path))


def measurements_in(key, path):
    """The path itself if it is an archive, else the path of the folder's measurements.

    Both are checked before anything is trained. Errors begin with `key`, or the path.
    """
    measurements = Path(path, "measurements.csv")
    with one_line_errors():
        if Path(path).is_file():
            check_result_set(path)
            return path
        if not measurements.is_file():
            problem = (
                "holds no measurements.csv" if Path(path).is_dir() else "doesn't exist"
            )
            raise StudyError(
                f"{key}: {path!r} {problem}; give the folder of a study's results, or the archive "
                "that `pack` makes of them (of an unpacked archive: its folder data)"
            )
        check_result_set(str(measurements))
    return str(measurements)


def published_sets(key, source):
    """The result sets of `published:<study>`, or of `published:<study>/<set>`, by their paths."""
    published, _, name = source.removeprefix(study_set.PUBLISHED).partition("/")
    with one_line_errors():
        sets = plugins.facts("published study", published)["SETS"]
        if name and name not in sets:
            raise StudyError(
                f"{key}: {unknown(f'result set of {published}', name, sets)}"
            )
    return expand(
        PUBLISHED_SET, published=published, result_set=[name] if name else sets
    )


def result_sets(key, source):
    """The files of a source: an archive, the measurements of a folder or of a published study."""
    if source.startswith(study_set.PUBLISHED):
        return published_sets(key, source)
    return [measurements_in(key, source)]


def baseline_measurements(wildcards):
    """The archive or the measurements of the baseline."""
    baseline = PLANS[wildcards.study].config.get("baseline")
    with one_line_errors():
        if baseline is None:
            raise StudyError(
                "compare needs earlier results, a folder or an archive: --config baseline=PATH"
            )
        archive = Path(ARCHIVE.format(study=wildcards.study))
        if Path(baseline).resolve() == archive.resolve():
            raise StudyError(
                f"baseline: {baseline!r} is packed anew whenever the study is measured; "
                "give a copy of it in another folder"
            )
        files = result_sets("baseline", baseline)
        if len(files) > 1:
            sets = [Path(file).parent.name for file in files]
            raise StudyError(
                f"baseline: {baseline!r} has several result sets; add / and one of "
                f"{', '.join(sets)}"
            )
    return files[0]


def combined_measurements(wildcards):
    """The measurements of the study, and the archives or measurements of other sources."""
    paths = PLANS[wildcards.study].config["others"]
    others = [file for path in paths for file in result_sets("others", path)]
    return [f"results/{wildcards.study}/measurements.csv", *others]


def log_files(key, requirement, paths):
    """The log files of a key of the study, checked before anything is trained.

    `paths` are pairs of a log's name and its path; `requirement` is the error without any.
    """
    with one_line_errors():
        if not paths:
            raise StudyError(requirement)
        for name, path in paths:
            if not Path(path).is_file():
                raise StudyError(f"{key}: {name}: {path!r} is no file")
    return [path for _, path in paths]


def phone_log_files(wildcards):
    """The log of each phone."""
    requirement = (
        "phones needs the logs of benchmark_model: --config phones='{NAME: PATH}'"
    )
    logs = PLANS[wildcards.study].config["phones"]
    return log_files("phones", requirement, logs.items())


def adopted_log_files(wildcards):
    """The logs of runs that trainmark didn't start."""
    requirement = (
        "adopt needs logs, and what they are of: --config logs='{NAME: {files: [PATH], dialect: …, "
        "framework: …, network: …, batch_size: …, machine: …}}'"
    )
    logs = PLANS[wildcards.study].config["logs"]
    with one_line_errors():
        for log in logs.values():
            plugins.path("dialect", log["dialect"])
    return log_files(
        "logs",
        requirement,
        [(name, path) for name, log in logs.items() for path in log["files"]],
    )


rule comparison:
    input:
        measurements="results/{study}/measurements.csv",
        baseline=baseline_measurements,
        records=all_records,
    output:
        tables=multiext(COMPARISON, *TABLE_SUFFIXES),
        figures=multiext(COMPARISON, ".svg", *FIGURE_SUFFIXES),
        page="results/{study}/comparison/report.html",
    localrule: True
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=digest.of_report("comparison"),
        note=of_study(lambda plan: plan.note),
    message:
        "Compare with the baseline"
    script:
        "../scripts/comparison.py"


rule compare:
    input:
        to_measure,
        texts=expand(f"{COMPARISON}.txt", study=PLANS),
        numbers=expand(f"{COMPARISON}.csv", study=PLANS),
    localrule: True
    params:
        tolerances=[plan.config["tolerance_percent"] for plan in PLANS.values()],
    message:
        "Print what is significantly faster or slower"
    script:
        "../scripts/compare.py"


rule combined:
    input:
        sources=combined_measurements,
        records=all_records,
    output:
        tables=multiext(COMBINED, *TABLE_SUFFIXES),
        of_sources=multiext(SOURCES, *TABLE_SUFFIXES),
        figures=multiext(COMBINED, ".svg", *FIGURE_SUFFIXES),
        page="results/{study}/combined/report.html",
    localrule: True
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=digest.of_report("combined"),
        note=of_study(lambda plan: plan.note),
    message:
        "Combine the results of all sources"
    script:
        "../scripts/combined.py"


rule combine:
    input:
        to_measure,
        tables=expand(f"{COMBINED}.txt", study=PLANS),
    localrule: True
    message:
        "Print each machine's speed, one machine a column"
    shell:
        "cat {input.tables:q}"


rule phone_logs:
    input:
        phone_log_files,
        measurements="results/{study}/measurements.csv",
    output:
        multiext(PHONES, *TABLE_SUFFIXES),
    localrule: True
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        logs=of_study(lambda plan: plan.config["phones"]),
        code=digest.of_report("phone_logs"),
    message:
        "Make the table of phones and of this machine"
    script:
        "../scripts/phone_logs.py"


rule phones:
    input:
        to_measure,
        tables=expand(f"{PHONES}.txt", study=PLANS),
    localrule: True
    message:
        "Print the speeds of the study's models on phones and here"
    shell:
        "cat {input.tables:q}"


rule adopted:
    input:
        adopted_log_files,
    output:
        measurements=f"{ADOPTED}/measurements.csv",
        parquet=f"{ADOPTED}/measurements.parquet",
        tables=multiext(f"{ADOPTED}/adopted", *TABLE_SUFFIXES),
    localrule: True
    threads: 1
    resources:
        mem_mb=1000,
        runtime=30,
    params:
        study="{study}",
        logs=of_study(lambda plan: plan.config["logs"]),
        code=[
            digest.of_script("adopted", "dialect", "metric"),
            digest.of_report("adopted"),
        ],
    message:
        "Read logs of runs from elsewhere"
    script:
        "../scripts/adopted.py"


rule adopt:
    input:
        tables=expand(f"{ADOPTED}/adopted.txt", study=PLANS),
    localrule: True
    message:
        "Print the speeds that logs from elsewhere state"
    shell:
        "cat {input.tables:q}"
