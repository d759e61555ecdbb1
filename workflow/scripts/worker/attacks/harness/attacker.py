"""The process that attacks: it receives images, and requests logits and gradients.

usage: python -I attacker.py JOB

JOB is the content of job.json. Standard input brings messages (worker.attacks.harness.pipe): names
of attacks with epsilons and images, and answers. Standard output takes `ready`, requests, `found`
with an epsilon and its images, and `done`. The process ends with its input.
"""

import json
import os
import sys
from pathlib import Path

# Behind the environment's own packages, so that none of them is shadowed.
sys.path.append(str(Path(__file__).resolve().parents[3]))

import numpy

from worker import attacks
from worker.attacks.harness import pipe
from worker.attacks.harness.victim import Victim
from worker.job import Job


def main(job: Job) -> None:
    """Attack until the framework's process closes its end."""
    messages, requests = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints is no message

    def request(kind: str, *arrays: numpy.ndarray) -> numpy.ndarray:
        pipe.send(requests, kind, *arrays)
        answer = pipe.receive(messages)
        if answer is None:
            sys.exit("the framework's process has ended")
        return answer[1][0]

    victim = Victim(job, request)
    pipe.send(requests, "ready")
    for name, (epsilons, images) in iter(lambda: pipe.receive(messages), None):
        plugin = attacks.find(name)
        for epsilon in epsilons if plugin.TAKES_EPSILON else [numpy.nan]:
            numpy.random.seed(job.seed)
            attack = plugin.attack(victim, float(epsilon), job.batch_size)
            adversarial = attack.generate(x=images).astype(numpy.float32)
            pipe.send(requests, "found", numpy.array(epsilon), adversarial)
        pipe.send(requests, "done")


if __name__ == "__main__":
    main(Job(**json.loads(sys.argv[1])))
