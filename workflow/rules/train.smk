"""Train: the parity reference of a network, and every run.

In: an environment's installed lock, a converted data set.
Out: results/references/<reference>.npz, and each run's folder in results/<study>/runs/.

The target `prepare` makes everything that runs need beforehand, for a cluster whose nodes have no
network. The target `on_<machine>` is all runs on a machine of the study.

A run depends on its own settings and on the worker's files that it executes (params.definition).
A change of the machine's settings makes no run again.
"""

from functools import cache

from trainmark.runs import lines
from trainmark.runs.resources import check_defaults, of_run
from trainmark.study import machines, paths

RUN_FOLDER = f"results/{STUDY}/runs/{RUN}"
REFERENCES = {run.reference: run for run in PLAN.runs.values()}


def run_inputs(wildcards):
    """The files that a run reads; none for a run that doesn't take place."""
    run = planned_run(wildcards)
    if not run.takes_place:
        return {}
    return {
        **preparation(run),
        **trainer(run),
        **attacked_run(run),
        # `ancient`: measuring an earlier run again doesn't make later runs outdated.
        "earlier": [
            ancient(f"results/{STUDY}/runs/{path}/run.json") for path in run.earlier
        ],
    }


def preparation(run):
    """The files that a run needs beforehand: environments, reference and data."""
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
    """The files of the environment that computes attacks."""
    name = paths.ATTACKER
    return {
        "attacker": paths.INSTALLED_LOCK.format(environment=name),
        "attacking": ancient(paths.ENVIRONMENT_COMPLETE.format(environment=name)),
    }


def trainer(run):
    """The run whose weights a run predicts with: weights.npz is beside its run.json."""
    path = PLAN.trainers.get(run.path)
    return {"trained": f"results/{STUDY}/runs/{path}/run.json"} if path else {}


def attacked_run(run):
    """The run whose adversarial images a run predicts: adversarial.npz is beside its run.json."""
    path = PLAN.attackers.get(run.path)
    return {"attacked": f"results/{STUDY}/runs/{path}/run.json"} if path else {}


def prepared(wildcards):
    """The files that the runs of the study need beforehand."""
    runs = [run for run in PLAN.runs.values() if run.takes_place]
    return list(
        dict.fromkeys(path for run in runs for path in preparation(run).values())
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
def resources_of(path):
    """All resources of the run with this path, by their names."""
    return of_run(PLAN.runs[path].settings, PLAN.config)


# One run for each machine and device, since a run on several nodes takes more resources.
EXAMPLES = {
    (run.settings["machine_name"], run.settings["device"]): path
    for path, run in PLAN.runs.items()
}
RESOURCES = {key: resources_of(path) for key, path in EXAMPLES.items()}


# A constant where possible: a function in a rule costs every call 0.1 ms for each job.
def resource(name):
    """One resource of runs, a constant or a function of wildcards.

    It is None, and not the default, for runs whose machine doesn't have it.
    """
    first, *others = (resources.get(name) for resources in RESOURCES.values())
    if all(other == first for other in others):
        return first
    return lambda wildcards: resources_of(RUN.format_map(wildcards)).get(name)


def definition(wildcards):
    """The settings of a run as canonical JSON, and a digest of the code that it executes."""
    run = planned_run(wildcards)
    return {"settings": run.params, "code": run.code}


def param(name):
    """A further parameter of runs; None where no run of the study has it."""
    if all(getattr(run, name) is None for run in PLAN.runs.values()):
        return None
    return lambda wildcards: getattr(planned_run(wildcards), name)


with one_line_errors():
    check_defaults(
        {machine: resources for (machine, _), resources in RESOURCES.items()},
        default_resources(),
    )
OTHER_RESOURCES = {
    name: resource(name)
    for resources in RESOURCES.values()
    for name in resources
    if name not in ("mem_mb", "runtime")
}


rule train:
    input:
        unpack(run_inputs),
    output:
        # Written last. job.json, worker.log, telemetry.csv and kept arrays are beside it, but
        # undeclared: with thousands of runs, each declared file slows down every call.
        run=f"{RUN_FOLDER}/run.json",
    log:
        f"results/logs/train/{STUDY}/{RUN}.log",
    wildcard_constraints:
        stage="|".join(axes.values("stage")),
        repeat=r"\d+",
    # All first repeats come before all second ones, so that a drift of the machine affects all
    # frameworks alike. Preparation, at priority 0, comes before all runs.
    priority: lambda wildcards: -int(wildcards.repeat)
    # More than any machine's cores, so a run gets all of them and no job runs beside it.
    threads: 10_000
    resources:
        **OTHER_RESOURCES,
        mem_mb=lambda wildcards: resources_of(RUN.format_map(wildcards))["mem_mb"],
        runtime=resource("runtime"),
    params:
        definition=definition,
        excluded=param("excluded"),
        enough_percent=param("enough_percent"),
    message:
        lines.start(PLAN.repeats)
    script:
        "../scripts/train.py"


for machine, facts in PLAN.config["machines"].items():
    # The queue of a cluster has few runs of each machine at a time, however many nodes it has.
    limit_resource(machines.queue(machine), facts["queued"])

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
