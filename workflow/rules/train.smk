"""Train: the parity reference of a network and every run.

In: an environment's installed lock, a converted data set.
Out: results/references/<reference>.npz and each run's folder in results/<study>/runs/.

A run depends on its own settings (params.job) and on the worker's files that it executes
(params.code); machine settings don't trigger it.
"""

import re
from itertools import product

from trainmark.runs.resources import memory_megabytes, runtime_minutes

RUN_SHOWN = RUN.replace("{", "{wildcards.")
RUNTIME = runtime_minutes(PLAN.config["machine"])
REFERENCES = {run.reference: run for run in PLAN.runs.values()}
KEEPING = {run.case_folder: run.settings["keep_weights"] for run in PLAN.runs.values()}


def run_inputs(repeat):
    """From wildcards to what one run reads, for one repeat."""

    def inputs(wildcards):
        run = planned(wildcards, repeat)
        if run.excluded:
            return {}
        settings = run.settings
        environment = f"results/environments/{settings['environment']}"
        data = f"results/data/{settings['dataset']}/{run.format}/dataset.json"
        return {
            "lock": f"{environment}.json",
            "environment": ancient(f"{environment}/.complete"),
            "reference": f"results/references/{run.reference}.npz",
            **({"data": data} if run.reads_data else {}),
            # One measured again doesn't make those after it unmeasured.
            "earlier": [
                ancient(f"results/{STUDY}/runs/{path}/run.json") for path in run.earlier
            ],
        }

    return inputs


def run_outputs(repeat, keeps_weights):
    """What Snakemake is told of a run's folder."""
    folder = f"results/{STUDY}/runs/{RUN}/r{repeat}"
    weights = {"weights": f"{folder}/weights.npz"} if keeps_weights else {}
    return {"run": f"{folder}/run.json", **weights}


rule reference:
    output:
        "results/references/{reference}.npz",
    log:
        "results/logs/reference/{reference}.log",
    threads: 2
    resources:
        # VGG-16 in its published form takes 10,200.
        mem_mb=12_000,
        runtime=60,
    params:
        settings=lambda wildcards: REFERENCES[wildcards.reference].reference_params,
        code=lambda wildcards: REFERENCES[wildcards.reference].reference_code,
    message:
        "Compute the float64 reference of {wildcards.reference}"
    script:
        "../scripts/reference.py"


# One rule a repeat, as a priority can't depend on wildcards: all first repeats come before all
# second ones, so that a drift of the machine doesn't fall on one framework; and preparation,
# at priority 0, comes before all of them. And one for the cases whose runs keep their weights, which
# are an output of these alone.
for repeat, keeps_weights in product(
    range(1, PLAN.repeats + 1), sorted(set(KEEPING.values()))
):

    rule:
        name:
            f"train_{repeat}{'_keeping_weights' * keeps_weights}"
        input:
            unpack(run_inputs(repeat)),
        output:
            # Written last; job.json, worker.log and telemetry.csv are beside it, undeclared, because
            # each declared file of thousands of runs costs every call its time.
            **run_outputs(repeat, keeps_weights),
        log:
            f"results/logs/train/{STUDY}/{RUN}/r{repeat}.log",
        wildcard_constraints:
            case="|".join(
                re.escape(case) for case in KEEPING if KEEPING[case] == keeps_weights
            ),
        priority: -repeat
        threads: 10_000
        resources:
            mem_mb=lambda wildcards, repeat=repeat: memory_megabytes(
                planned(wildcards, repeat).settings
            ),
            runtime=RUNTIME,
        params:
            job=lambda wildcards, repeat=repeat: planned(wildcards, repeat).params,
            code=lambda wildcards, repeat=repeat: planned(wildcards, repeat).code,
            excluded=lambda wildcards, repeat=repeat: planned(
                wildcards, repeat
            ).excluded,
            enough_percent=lambda wildcards, repeat=repeat: planned(
                wildcards, repeat
            ).enough_percent,
        message:
            f"Train {RUN_SHOWN}, repeat {repeat} of {PLAN.repeats}"
        script:
            "../scripts/train.py"
