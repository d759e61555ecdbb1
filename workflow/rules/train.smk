"""Train: the parity reference of a network and every run.

In: an environment's installed lock, a converted data set.
Out: results/references/<reference>.npz and each run's folder in results/<study>/runs/.

A run depends on its own settings (params.job) and on the worker's files that it executes
(params.code); machine settings don't trigger it.
"""

import re
from itertools import product

from trainmark.runs.resources import memory_megabytes, runtime_minutes
from trainmark.study import places

RUN_SHOWN = RUN.replace("{", "{wildcards.")
RUNTIME = runtime_minutes(PLAN.config["machine"])
REFERENCES = {run.reference: run for run in PLAN.runs.values()}


def run_inputs(repeat):
    """From wildcards to what one run reads, for one repeat."""

    def inputs(wildcards):
        run = planned(wildcards, repeat)
        if run.excluded:
            return {}
        settings = run.settings
        data = places.DATASET_INDEX.format(format=run.format, **settings)
        return {
            "lock": places.INSTALLED_LOCK.format_map(settings),
            "environment": ancient(places.ENVIRONMENT_COMPLETE.format_map(settings)),
            "reference": places.REFERENCE.format(reference=run.reference),
            **({"data": data} if run.reads_data else {}),
            **trained_weights(run),
            **attacking(run),
            # One measured again doesn't make those after it unmeasured.
            "earlier": [
                ancient(f"results/{STUDY}/runs/{path}/run.json") for path in run.earlier
            ],
        }

    return inputs


def trained_weights(run):
    """The weights of another run, which a run predicts with."""
    trainer = PLAN.trainers.get(run.path)
    return {"trained": f"results/{STUDY}/runs/{trainer}/weights.npz"} if trainer else {}


def attacking(run):
    """What attacks, for a run that does; for one that predicts what another attacked, that run."""
    if run.settings["attacks"]:
        own = {"environment": places.ATTACKER}
        return {
            "attacker": places.INSTALLED_LOCK.format_map(own),
            "attacking": ancient(places.ENVIRONMENT_COMPLETE.format_map(own)),
        }
    attacker = PLAN.attackers.get(run.path)
    return {"attacked": f"results/{STUDY}/runs/{attacker}/run.json"} if attacker else {}


def rule_groups():
    """The cases whose runs keep weights in the same stages, and those whose don't, likewise."""
    stages = {}
    for run in PLAN.runs.values():
        key = run.case_folder, run.settings["keep_weights"]
        stages.setdefault(key, set()).add(run.settings["stage"])
    groups = {}
    for (case, keeps), names in stages.items():
        groups.setdefault((keeps, tuple(sorted(names))), []).append(case)
    return groups


def ending(keeps_weights, stages):
    """What a group's rules are called behind their repeat, so that no two have one name."""
    alike = [group for group in GROUPS if group[0] == keeps_weights]
    return "_keeping_weights" * keeps_weights + "_".join(
        ["", *stages] if len(alike) > 1 else []
    )


def run_outputs(repeat, keeps_weights):
    """What Snakemake is told of a run's folder."""
    folder = f"results/{STUDY}/runs/{RUN}/r{repeat}"
    weights = {"weights": f"{folder}/weights.npz"} if keeps_weights else {}
    return {"run": f"{folder}/run.json", **weights}


rule reference:
    output:
        places.REFERENCE,
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
# at priority 0, comes before all of them. And one for the runs that keep their weights, which are an
# output of these alone; a rule's wildcards say which they are.
GROUPS = rule_groups()
for repeat, (keeps_weights, stages) in product(range(1, PLAN.repeats + 1), GROUPS):

    rule:
        name:
            f"train_{repeat}{ending(keeps_weights, stages)}"
        input:
            unpack(run_inputs(repeat)),
        output:
            # Written last; job.json, worker.log and telemetry.csv are beside it, undeclared, because
            # each declared file of thousands of runs costs every call its time.
            **run_outputs(repeat, keeps_weights),
        log:
            f"results/logs/train/{STUDY}/{RUN}/r{repeat}.log",
        wildcard_constraints:
            case="|".join(map(re.escape, GROUPS[keeps_weights, stages])),
            stage="|".join(stages),
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
            f"Measure {RUN_SHOWN}, repeat {repeat} of {PLAN.repeats}"
        script:
            "../scripts/train.py"
