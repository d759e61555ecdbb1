"""The process that attacks: it is given images, and asks for logits and gradients.

usage: python -I attacker.py JOB

JOB is the content of job.json. Messages (worker.adversary.pipe) come in by standard input: attacks'
names, with epsilons and images, and answers. They go out by standard output: `ready`, questions,
what was `found` with each epsilon, and `done`. It ends with its input.
"""

import json
import os
import sys
from pathlib import Path

# Behind the environment's own packages, so that none of them is shadowed.
sys.path.append(str(Path(__file__).resolve().parents[2]))

import numpy

from worker import attacks
from worker.adversary import pipe
from worker.adversary.victim import Victim
from worker.job import Job


def main(job: Job) -> None:
    """Attack until the framework's process closes its end."""
    told, asked = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints is no message

    def ask(question: str, *arrays: numpy.ndarray) -> numpy.ndarray:
        pipe.send(asked, question, *arrays)
        answer = pipe.receive(told)
        if answer is None:
            sys.exit("the framework's process has ended")
        return answer[1][0]

    victim = Victim(job, ask)
    pipe.send(asked, "ready")
    for name, (epsilons, images) in iter(lambda: pipe.receive(told), None):
        plugin = attacks.find(name)
        for epsilon in epsilons if plugin.TAKES_EPSILON else [numpy.nan]:
            numpy.random.seed(job.seed)
            attack = plugin.attack(victim, float(epsilon), job.batch_size)
            found = attack.generate(x=images).astype(numpy.float32)
            pipe.send(asked, "found", numpy.array(epsilon), found)
        pipe.send(asked, "done")


if __name__ == "__main__":
    main(Job(**json.loads(sys.argv[1])))
