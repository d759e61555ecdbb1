"""Analyse: read the runs' files and make one tidy table of them.

In: each run's run.json, with its worker.log and telemetry.csv beside it.
Out: results/<study>/events.jsonl, the parsed logs (logs can be parsed again without new training);
and the only sources of all tables and figures: results/<study>/measurements.csv (also .parquet),
steps.csv (step times), losses.csv, accuracies.csv (accuracies during training), latencies.csv
(calls timed one by one), corruptions.csv (accuracies on corrupted images), disagreements.csv
(images that 8-bit models classify differently), attacks.csv (results of each attack),
adversarial.csv (a few images that attacks made) and hosts.csv (hardware).
"""


def labels(plan):
    """By a run's record what the study says of it and its worker doesn't see, if anything."""
    return {
        run_record(run): stated
        for run in plan.runs.values()
        if (stated := plan.labels(run))
    }


rule events:
    input:
        records=all_records,
    output:
        events=EVENTS,
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
        events=EVENTS,
    output:
        measurements="results/{study}/measurements.csv",
        parquet="results/{study}/measurements.parquet",
        steps="results/{study}/steps.csv",
        accuracies="results/{study}/accuracies.csv",
        losses="results/{study}/losses.csv",
        latencies="results/{study}/latencies.csv",
        corruptions="results/{study}/corruptions.csv",
        disagreements="results/{study}/disagreements.csv",
        attacks="results/{study}/attacks.csv",
        adversarial="results/{study}/adversarial.csv",
        hosts="results/{study}/hosts.csv",
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
        # Labels are no settings of a run: changing them trains nothing again.
        labels=of_study(labels),
    message:
        "Put the measurements of all runs together"
    script:
        "../scripts/measurements.py"
