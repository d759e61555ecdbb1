"""What parity detects: right work that it fails, and wrong work that it lets pass.

usage: python benchmarks/parity.py settings [--count 1000] [--seed 1] [--named 0.05]
       python benchmarks/parity.py mutants [--networks lenet,...] [--learning-rate 0.01]

The framework is the numpy adapter in float32. `settings` trains in random ones, of little random
networks and, with a probability, of those found, in their forms for small images; it prints the
worst share of each limit. `mutants` prints by how many times its limit the best quantity tells each
mutant of each network; below 1 it passes.
"""

import argparse
import os
import sys
from collections import Counter
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # more gain nothing in such small products

import numpy as np
from places import ROOT

sys.path.insert(0, str(ROOT / "tests"))

from examples import small_images
from judged import judged, reference_of, shares
from mutants import mutants
from random_settings import random_job, random_network

from trainmark.study import plugins
from worker import networks
from worker.frameworks.numpy.adapter import Adapter
from worker.job import Job
from worker.networks.neutral.builder import Network
from worker.proof.observe import training

OUTCOMES = ("passed", "passed with the second batch", "failed")


def settings(count: int, seed: int, named: float) -> None:
    """Try so many random settings, each drawn from a seed that finds it again."""
    worst: dict[str, float] = {}
    outcomes: Counter[str] = Counter()
    for number in range(seed, seed + count):
        name, job, network = drawn(number, named)
        results = [result_of(network, job, draw=0)]
        if not results[0]["passed"]:
            results.append(result_of(network, job, draw=1))
            print(f"{number}: {name}, {job.learning_rate:.1e}: {[beyond(r) for r in results]}")
        outcomes[OUTCOMES[[r["passed"] for r in results].count(False)]] += 1
        for quantity, share in shares(results[-1]).items():
            worst[quantity] = max(worst.get(quantity, 0), share)
        print(f"\r{number - seed + 1} settings", end="", file=sys.stderr, flush=True)
    print(dict(outcomes))
    print("worst shares of a limit:", {q: f"{share:.2g}" for q, share in worst.items()})


def result_of(network: Network, job: Job, draw: int) -> dict[str, Any]:
    """What parity says of float32 on one of the two batches."""
    return judged(reference_of(network, job, training, draw), Adapter(job), network, job, draw)


def drawn(number: int, named: float) -> tuple[str, Job, Network]:
    """A name to be told, a job, and its network."""
    dice = np.random.RandomState(number)
    network = random_network(dice)
    job = random_job(dice, network)
    if dice.random_sample() >= named:
        return "random network", job, network
    name = str(dice.choice(plugins.names("network")))
    settings = small_images(name, learning_rate=job.learning_rate, momentum=job.momentum)
    named_job = Job(**settings)._replace(weight_decay=job.weight_decay)
    return name, named_job, network_of(named_job)


def network_of(job: Job) -> Network:
    """The network of a job, without dropout."""
    return networks.build(job.network, job.image_shape, job.classes).without_dropout()


def beyond(result: dict[str, Any]) -> dict[str, str]:
    """The shares that are too large."""
    return {q: f"{share:.2g}" for q, share in shares(result).items() if not share <= 1}


def kill(names: list[str], learning_rate: float) -> None:
    """Hold every mutant of the networks against their references."""
    for name in names:
        job = Job(**small_images(name, learning_rate=learning_rate))
        network = network_of(job)
        reference = reference_of(network, job, training)
        for mutant in mutants(network, job):
            result = judged(reference, mutant.adapter(job), network, job)
            by_quantity = shares(result)
            best = max(by_quantity, key=lambda quantity: by_quantity[quantity])
            print(f"{name:12} {mutant.title:32} {by_quantity[best]:8.2g} {best}", flush=True)


def main() -> None:
    """Read the arguments and do one of the two."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parts = parser.add_subparsers(dest="part", required=True)
    random = parts.add_parser("settings")
    random.add_argument("--count", type=int, default=1000)
    random.add_argument("--seed", type=int, default=1)
    random.add_argument("--named", type=float, default=0.05)
    wrong = parts.add_parser("mutants")
    wrong.add_argument("--networks", default=",".join(plugins.names("network")))
    wrong.add_argument("--learning-rate", type=float, default=0.01)
    arguments = parser.parse_args()
    with np.errstate(all="ignore"):  # large rates overflow
        if arguments.part == "settings":
            settings(arguments.count, arguments.seed, arguments.named)
        else:
            kill(arguments.networks.split(","), arguments.learning_rate)


if __name__ == "__main__":
    main()
