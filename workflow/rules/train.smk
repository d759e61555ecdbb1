"""Train: the parity reference of a network, and every run.

In: an environment's installed lock, a converted data set.
Out: results/references/<reference>.npz, and each run's folder in results/<study>/runs/.

The target `prepare` makes everything that runs need beforehand, for a cluster whose nodes have no
network. The target `on_<machine>` is all runs on a machine of the study.

A run depends on its own settings and on the worker's files that it executes (params.definition).
A change of the machine's settings makes no run again.
"""

from functools import cache
from itertools import chain

from trainmark.runs import inputs, lines
from trainmark.runs.resources import check_defaults, of_run
from trainmark.study import machines, paths

RUN_FOLDER = f"results/{{study}}/runs/{RUN}"
REFERENCES = {run.reference: run for run in all_runs().values()}


def run_inputs(wildcards):
    """The files that a run reads; none for one that is not included."""
    run, plan = planned_run(wildcards), PLANS[wildcards.study]
    if not run.is_included:
        return {}
    return {
        **preparation(run),
        **record_of_other("trained", plan.trainers.get(run.path), plan),
        **record_of_other("attacked", plan.attackers.get(run.path), plan),
        # `ancient`: measuring an earlier run again doesn't make later runs outdated.
        "earlier": [ancient(run_record(plan.runs[path])) for path in run.earlier],
    }


def preparation(run):
    """The files that a run needs beforehand; of environments, locks alone make it outdated."""
    return {
        name: ancient(path) if name in ("environment", "attacking") else path
        for name, path in inputs.prepared(run).items()
    }


def record_of_other(name, path, plan):
    """The run.json of the other run on which a run depends, if there is one.

    Beside it is weights.npz, with which the run predicts, or adversarial.npz, the images that it
    predicts.
    """
    return {name: run_record(plan.runs[path])} if path else {}


def prepared(wildcards):
    """The files that the runs of all studies need beforehand."""
    files = (inputs.prepared(run).values() for run in all_runs().values())
    return list(dict.fromkeys(chain.from_iterable(files)))


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
def resources_of(study, path):
    """All resources of the run with this path, by their names."""
    plan = PLANS[study]
    return of_run(plan.runs[path].settings, plan.config)


# One run for each machine and device, since a run on several nodes takes more resources.
EXAMPLES = {
    (study, run.settings["machine_name"], run.settings["device"]): path
    for study, plan in PLANS.items()
    for path, run in plan.runs.items()
}
RESOURCES = {key: resources_of(key[0], path) for key, path in EXAMPLES.items()}


def resources_of_job(wildcards):
    """All resources of the run that a rule's wildcards name."""
    return resources_of(wildcards.study, RUN.format_map(wildcards))


# A constant where possible: a function in a rule costs every call 0.1 ms for each job.
def resource(name):
    """One resource of runs, a constant or a function of wildcards.

    It is None, and not the default, for runs whose machine doesn't have it.
    """
    first, *others = (resources.get(name) for resources in RESOURCES.values())
    if all(other == first for other in others):
        return first
    return lambda wildcards: resources_of_job(wildcards).get(name)


def definition(wildcards):
    """The settings of a run as canonical JSON, and a digest of the code that it executes."""
    run = planned_run(wildcards)
    return {"settings": run.params, "code": run.code}


def param(name):
    """A further parameter of runs; None where no run has it."""
    if all(getattr(run, name) is None for run in all_runs().values()):
        return None
    return lambda wildcards: getattr(planned_run(wildcards), name)


with one_line_errors():
    check_defaults(
        {machine: resources for (_, machine, _), resources in RESOURCES.items()},
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
        f"results/logs/train/{{study}}/{RUN}.log",
    wildcard_constraints:
        stage="|".join(axes.values("stage")),
        repeat=r"\d+",
    # All first repeats come before all second ones, so that a drift of the machine affects all
    # frameworks alike. Preparation, at priority 0, comes before all runs. A study, which has at most
    # 1,000 repeats, comes before the next one.
    priority: lambda wildcards: -1000 * TURNS[wildcards.study] - int(wildcards.repeat)
    # More than any machine's cores, so a run gets all of them and no job runs beside it.
    threads: 10_000
    resources:
        **OTHER_RESOURCES,
        mem_mb=lambda wildcards: resources_of_job(wildcards)["mem_mb"],
        runtime=resource("runtime"),
    params:
        definition=definition,
        excluded=param("excluded"),
        enough_percent=param("enough_percent"),
    message:
        lines.start({plan.repeats for plan in PLANS.values()})
    script:
        "../scripts/train.py"


MACHINES = {
    name: facts
    for plan in PLANS.values()
    for name, facts in plan.config["machines"].items()
}

for machine, facts in MACHINES.items():
    # The queue of a cluster has few runs of each machine at a time, however many nodes it has.
    limit_resource(machines.queue(machine), facts["queued"])

    rule:
        name:
            machines.queue(machine)
        input:
            [
                record
                for record, run in all_runs().items()
                if run.settings["machine_name"] == machine
            ],
        message:
            f"All runs on {machine} are measured"
