"""The recorded study (tests/data/study) as the workflow reports it, in a folder of its own."""

import shutil
import subprocess
import sys
from pathlib import Path

from recorded import STUDY

HOUSE = Path(__file__).parents[1]
CONFIG = """
study: recorded
protocol: 1
repeats: 3
seed: 1
frameworks: [pytorch, tensorflow, mxnet, jax]
cases:
  resnet50-cifar10: &case
    network: resnet50
    dataset: synthetic-cifar10
    batch_size: 64
    warmup_steps: 5
    steps: 20
    learning_rate: 0.01
    momentum: 0.9
    weight_decay: 0.0005
    evaluate: false
  lenet-digits:
    <<: *case
    network: lenet
    dataset: digits
    evaluate: true
devices: [cpu]
precisions: [float32]
stages: [train]
input_modes: [dataset]
"""
FROM_RECORDS = ("--profile", str(HOUSE / "profiles" / "report"))


def snakemake(folder, *arguments, returncode=0):
    """Call Snakemake on the study of a folder."""
    command = [sys.executable, "-m", "snakemake", "--snakefile", str(HOUSE / "Snakefile")]
    command += ["--directory", str(folder), "--configfile", str(folder / "study.yaml")]
    done = subprocess.run([*command, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == returncode, done.stderr
    return done


def reported(folder, *paths):
    """The results in a folder, once these of their files are made from the recorded runs."""
    (folder / "study.yaml").write_text(CONFIG)
    shutil.copytree(STUDY, folder / "results" / "recorded")
    targets = (f"results/recorded/{path}" for path in paths)
    snakemake(folder, "--cores", "2", *FROM_RECORDS, "--", *targets)
    return folder / "results" / "recorded"
