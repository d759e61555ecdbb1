"""Analyse: read the runs' files and make one tidy table of them.

In: each run's run.json, with its worker.log and telemetry.csv beside it.
Out: results/<study>/events.jsonl, the parsed logs (logs can be parsed again without new training);
and the only sources of all tables and figures: results/<study>/measurements.csv (also .parquet),
steps.csv (step times), losses.csv, accuracies.csv (accuracies during training), latencies.csv
(calls timed one by one), corruptions.csv (accuracies on corrupted images), disagreements.csv
(images that 8-bit models classify differently), attacks.csv (results of each attack) and
adversarial.csv (a few images that attacks made).
"""


rule events:
    input:
        records=all_records,
    output:
        events=f"results/{STUDY}/events.jsonl",
    log:
        f"results/logs/events/{STUDY}.log",
    localrule: True
    threads: 1
    resources:
        mem_mb=2000,
        runtime=30,
    params:
        code=digest.of_script("events", "dialect"),
    message:
        "Parse the logs of all runs"
    script:
        "../scripts/events.py"


rule measurements:
    input:
        events=f"results/{STUDY}/events.jsonl",
    output:
        measurements=f"results/{STUDY}/measurements.csv",
        parquet=f"results/{STUDY}/measurements.parquet",
        steps=f"results/{STUDY}/steps.csv",
        accuracies=f"results/{STUDY}/accuracies.csv",
        losses=f"results/{STUDY}/losses.csv",
        latencies=f"results/{STUDY}/latencies.csv",
        corruptions=f"results/{STUDY}/corruptions.csv",
        disagreements=f"results/{STUDY}/disagreements.csv",
        attacks=f"results/{STUDY}/attacks.csv",
        adversarial=f"results/{STUDY}/adversarial.csv",
    log:
        f"results/logs/measurements/{STUDY}.log",
    localrule: True
    threads: 1
    resources:
        mem_mb=2000,
        runtime=30,
    params:
        # The rule events has the same records as inputs; each input slows down every call. Tables
        # and figures keep the order of the records.
        records=all_records,
        code=digest.of_script("measurements", "metric", "csv"),
        # A label and no setting of a run: changing it trains nothing again.
        default_of=PLAN.default_of,
        losing_evaluation=run_records(
            path for path, run in PLAN.runs.items() if run.loses_evaluation
        ),
        targets={
            record: run.target_accuracy
            for record, run in zip(run_records(), PLAN.runs.values())
            if run.target_accuracy is not None
        },
    message:
        "Put the measurements of all runs together"
    script:
        "../scripts/measurements.py"
