"""Share: the results of a study for other people and other tools.

In: CSVs of results/<study>/, events.jsonl, and the runs' run.json.
Out: results/<study>/<study>.zip: measurements and runs in one archive; <study>-light.zip: a form of
it that is small enough to be published; results/<study>/mlruns/: the runs for MLflow.
"""

from trainmark.study import paths

ARCHIVE = "results/{study}/{study}.zip"
LIGHT_ARCHIVE = "results/{study}/{study}-light.zip"

complete_study = of_study(lambda plan: plan.config)


rule archive:
    input:
        measurements="results/{study}/measurements.csv",
        records=all_records,
    output:
        archive=ARCHIVE,
    localrule: True
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        config=complete_study,
        code=digest.of_script("archive"),
    message:
        "Pack the results: {output.archive}"
    script:
        "../scripts/archive.py"


rule pack:
    input:
        to_measure,
        expand(ARCHIVE, study=PLANS),
    message:
        "The results are packed"


rule light_archive:
    input:
        csvs=expand(
            "results/{{study}}/{table}.csv",
            table=[
                "measurements",
                "latencies",
                "accuracies",
                "attacks",
                "corruptions",
            ],
        ),
        events=EVENTS,
        records=all_records,
        full=ARCHIVE,
    output:
        archive=LIGHT_ARCHIVE,
    localrule: True
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        config=complete_study,
        code=digest.of_script("light_archive"),
    message:
        "Pack the results to be published: {output.archive}"
    script:
        "../scripts/light_archive.py"


rule publish:
    input:
        to_measure,
        expand(LIGHT_ARCHIVE, study=PLANS),
    message:
        "The results can be published"


rule mlflow_folder:
    input:
        measurements="results/{study}/measurements.csv",
        losses="results/{study}/losses.csv",
        records=all_records,
        lock=paths.INSTALLED_LOCK.format(environment="mlflow"),
        environment=ancient(paths.ENVIRONMENT_COMPLETE.format(environment="mlflow")),
        writer=f"{SCRIPTS}/worker/exports/mlflow_runs.py",
    output:
        directory("results/{study}/mlruns"),
    log:
        "results/logs/mlflow_runs/{study}.log",
    localrule: True
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=digest.of_script("mlflow_folder", "csv"),
    message:
        "Write the runs for MLflow: mlflow ui --backend-store-uri {output}"
    script:
        "../scripts/mlflow_folder.py"


rule mlflow_runs:
    input:
        to_measure,
        expand("results/{study}/mlruns", study=PLANS),
    message:
        "The runs are in folders that MLflow shows"
