"""Train: the parity reference of a network and every run.

In: an environment's installed lock, a converted data set.
Out: results/references/<reference>.npz and each run's folder in results/<study>/runs/. The target
`prepare` is all that is not measured, for where this can't be done beside it: a cluster's nodes may
have no network. The target `on_<machine>` is all that is measured on a machine of the study.

A run depends on its own settings and on the worker's files that it executes (params.asked);
machine settings don't trigger it.
"""

import re
from functools import cache

from trainmark.runs import lines
from trainmark.runs.resources import check_defaults, of_run
from trainmark.study import machines, paths

RUN_FOLDER = f"results/{STUDY}/runs/{RUN}"
REFERENCES = {run.reference: run for run in PLAN.runs.values()}


def run_inputs(wildcards):
    """What a run reads; one that doesn't take place reads nothing."""
    run = planned(wildcards)
    if not run.takes_place:
        return {}
    return {
        **preparation(run),
        **trained_weights(run),
        **attacked_images(run),
        # One measured again doesn't make those after it unmeasured.
        "earlier": [
            ancient(f"results/{STUDY}/runs/{path}/run.json") for path in run.earlier
        ],
    }


def preparation(run):
    """What a run reads that isn't measured."""
    settings = run.settings
    data = paths.DATASET_INDEX.format(format=run.format, **settings)
    return {
        "lock": paths.INSTALLED_LOCK.format_map(settings),
        "environment": ancient(paths.ENVIRONMENT_COMPLETE.format_map(settings)),
        "reference": paths.REFERENCE.format(reference=run.reference),
        **({"data": data} if run.reads_data else {}),
        **(attacker() if settings["attacks"] else {}),
    }


def attacker():
    """What attacks."""
    own = {"environment": paths.ATTACKER}
    return {
        "attacker": paths.INSTALLED_LOCK.format_map(own),
        "attacking": ancient(paths.ENVIRONMENT_COMPLETE.format_map(own)),
    }


def trained_weights(run):
    """The weights of another run, which a run predicts with."""
    trainer = PLAN.trainers.get(run.path)
    return {"trained": f"results/{STUDY}/runs/{trainer}/weights.npz"} if trainer else {}


def attacked_images(run):
    """The run whose adversarial images a run predicts."""
    maker = PLAN.attackers.get(run.path)
    return {"attacked": f"results/{STUDY}/runs/{maker}/run.json"} if maker else {}


def keeping_weights():
    """A regular expression: the cases whose runs keep their weights, each before its stages."""
    kept = {
        (run.case_folder, run.settings["stage"])
        for run in PLAN.runs.values()
        if run.settings["keep_weights"]
    }
    return "|".join(
        rf"{re.escape(case)}(?=/.*/{stage}-)" for case, stage in sorted(kept)
    )


def prepared(wildcards):
    """All that the runs of the study read and that isn't measured."""
    wanted = [run for run in PLAN.runs.values() if run.takes_place]
    return list(
        dict.fromkeys(path for run in wanted for path in preparation(run).values())
    )


rule prepare:
    input:
        prepared,
    message:
        "Environments, data and references are there"


rule reference:
    output:
        paths.REFERENCE,
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


@cache
def taken(path):
    """All that a run takes of resources, by their names."""
    return of_run(PLAN.runs[path].settings, PLAN.config)


# A run on several nodes takes more.
ONE_OF_EACH = {
    (run.settings["machine_name"], run.settings["device"]): path
    for path, run in PLAN.runs.items()
}
TAKEN = {place: taken(path) for place, path in ONE_OF_EACH.items()}


# Each function of a rule costs each call of Snakemake a tenth of a millisecond for each of its jobs.
def resource(name):
    """What a run takes of one resource: nothing, and no default, where its machine has none."""
    first, *others = (own.get(name) for own in TAKEN.values())
    if all(other == first for other in others):
        return first
    return lambda wildcards: taken(RUN.format_map(wildcards)).get(name)


def asked(wildcards):
    """The settings of a run as canonical JSON, and a digest of the code that it executes."""
    run = planned(wildcards)
    return {"settings": run.params, "code": run.code}


def param(name):
    """What else a run is asked, by its name; None where no run of the study is asked it."""
    if all(getattr(run, name) is None for run in PLAN.runs.values()):
        return None
    return lambda wildcards: getattr(planned(wildcards), name)


with one_line_errors():
    of_machines = {machine_name: own for (machine_name, _), own in TAKEN.items()}
    check_defaults(of_machines, default_resources())
OTHER_RESOURCES = {
    name: resource(name)
    for own in TAKEN.values()
    for name in own
    if name not in ("mem_mb", "runtime")
}
KEEPING_WEIGHTS = keeping_weights() or "(?!)"
CONSTRAINTS = {"stage": "|".join(axes.values("stage")), "repeat": r"\d+"}


rule train:
    input:
        unpack(run_inputs),
    output:
        # Written last; job.json, worker.log and telemetry.csv are beside it, undeclared, because
        # each declared file of thousands of runs costs every call its time.
        run=f"{RUN_FOLDER}/run.json",
    log:
        f"results/logs/train/{STUDY}/{RUN}.log",
    wildcard_constraints:
        **CONSTRAINTS,
        case=f"(?!{KEEPING_WEIGHTS})[^/]+",
    # All first repeats come before all second ones, so that a drift of the machine doesn't fall on
    # one framework; and preparation, at priority 0, comes before all of them.
    priority: lambda wildcards: -int(wildcards.repeat)
    threads: 10_000
    resources:
        **OTHER_RESOURCES,
        mem_mb=lambda wildcards: taken(RUN.format_map(wildcards))["mem_mb"],
        runtime=resource("runtime"),
    params:
        asked=asked,
        excluded=param("excluded"),
        enough_percent=param("enough_percent"),
    message:
        lines.start(PLAN.repeats)
    script:
        "../scripts/train.py"


# Their weights are an output of these alone.
use rule train as train_keeping_weights with:
    output:
        run=f"{RUN_FOLDER}/run.json",
        weights=f"{RUN_FOLDER}/weights.npz",
    wildcard_constraints:
        **CONSTRAINTS,
        case=KEEPING_WEIGHTS,


def targets_of_machines():
    """For each machine of the study a rule that is all of its runs."""
    for machine, own in PLAN.config["machines"].items():
        # However many nodes there are, an executor's queue has few runs of each machine at a time.
        workflow.register_resource(machines.queue(machine), own["queued"])

        rule:
            name:
                machines.queue(machine)
            input:
                run_records(
                    path
                    for path, run in PLAN.runs.items()
                    if run.settings["machine_name"] == machine
                ),
            message:
                f"All runs on {machine} are measured"


targets_of_machines()
