"""Random networks in an adapter, held against the reference as each run is: in its own Python.

usage: python -I probe_random_networks.py SCRIPTS JOB OUTPUT FIRST COUNT

Writes a line of JSON for each number from FIRST on: the outcome of each stage ("passed",
"unsupported: ...", "failed: ..." or "error: ..."), and of a failure the smallest network found that
fails as well.
"""

import json
import sys
from pathlib import Path

scripts, job_path, output, first, count = sys.argv[1:]
sys.path += [scripts, str(Path(__file__).parents[1])]
import random_networks  # noqa: E402

from worker import events, frameworks, stages  # noqa: E402
from worker.input import fixed_batch  # noqa: E402
from worker.job import read  # noqa: E402
from worker.networks.neutral import update_rule, weights  # noqa: E402
from worker.proof.check import judge  # noqa: E402
from worker.proof.observe import Subject  # noqa: E402
from worker.proof.reference import of_network  # noqa: E402

STAGES = ("train", "infer", "gradients")
BAD = ("failed", "error")


def outcome(job, network, stage):
    """How a network's first steps in a stage compare with the reference: see worker.proof.check."""
    job = job._replace(stage=stage)
    initial = weights.usual(network, job.seed)
    try:
        adapter = frameworks.find(job)(job)
        adapter.build(network, update_rule.of_job(job).for_proof())
        observe = stages.find(stage).OBSERVE
        results = []
        for draw in (0, 1):
            adapter.load(initial)
            batch = adapter.batch(*fixed_batch.whole(job, draw))
            subject = Subject(adapter, network, initial, batch, job)
            reference = of_network(network, initial, job, observe, draw)
            results.append(judge(reference, observe(subject, lambda call: call()), subject))
            if results[-1]["passed"]:
                return "passed"
    except events.Unsupported as error:
        return f"unsupported: {error}"
    except Exception as error:
        lines = [line for line in str(error).splitlines() if line.strip()]
        return f"error: {type(error).__name__}: {' '.join(lines[:2])}"
    result, limits = results[-1], results[-1]["limits"]
    beyond = {name: result[name] for name in limits if not result[name] <= limits[name]}
    return f"failed: {beyond}"


def smallest(job, drawn, stage, kind):
    """The network with as few steps as possible that still fails in the same way."""
    steps = list(drawn.steps)
    number = 0
    while number < len(steps):
        fewer = steps[:number] + steps[number + 1 :]
        network = random_networks.build(fewer, drawn.image_shape, drawn.classes)
        if outcome(job, network, stage).startswith(kind):
            steps = fewer
        else:
            number += 1
    return random_networks.build(steps, drawn.image_shape, drawn.classes)


def tried(job, number):
    """The outcome of a number, by stage; a failure with its smallest network."""
    drawn = random_networks.of_number(number)
    job = job._replace(**drawn.settings)
    network = random_networks.build(drawn.steps, drawn.image_shape, drawn.classes)
    outcomes = {}
    for stage in STAGES:
        result = outcome(job, network, stage)
        kind = result.partition(":")[0]
        if kind in BAD:
            shrunk = smallest(job, drawn, stage, kind)
            result += f" [{random_networks.text_of(shrunk)}; {drawn.settings}]"
        outcomes[stage] = result
    return outcomes


if __name__ == "__main__":
    start = read(job_path)
    with Path(output).open("w", encoding="utf-8") as lines:
        for number in range(int(first), int(first) + int(count)):
            lines.write(json.dumps({"number": number, **tried(start, number)}) + "\n")
            lines.flush()  # a framework may end the process
