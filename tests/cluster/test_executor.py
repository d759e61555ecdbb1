"""Snakemake on a login node, which submits each run to a real Slurm: docs/guides/cluster.md.

benchmarks/cluster_kills.py kills it, its jobs and its nodes at random moments.
"""

from functools import partial

import pytest
import yaml
from small_checkout import CASE, TWICE
from submitted_study import LONG, SECOND, begin_second, end, job_of, records
from waiting import PATIENCE_SECONDS, wait_for

from trainmark.watch.handler import STOPPING

pytestmark = pytest.mark.usefixtures("no_jobs")

ENDLESS = {**LONG, "cases": {"first": CASE, "second": {**CASE, "window_seconds": 900}}}
MACHINES = {
    "epyc": {"resources": {"slurm_partition": "first"}, "queued": 1},
    "k20": {"resources": {"slurm_partition": "second"}, "queued": 1},
}


def test_runs_are_jobs_repeat_by_repeat(checkout, start):
    end(start())
    runs = records(checkout)
    assert [record["status"] for record in runs] == ["ok"] * 4
    assert [record["job"]["repeat"] for record in runs] == [1, 1, 2, 2]
    assert "Nothing to be done" in end(start())


WAYS = {
    "a job is cancelled": lambda slurm, _: slurm.call("scancel", job_of(slurm, "second")),
    "Snakemake is told to end": lambda _, snakemake: snakemake.terminate(),
}


@pytest.mark.parametrize("act", WAYS.values(), ids=WAYS)
def test_nothing_of_a_run_is_left_and_the_next_call_goes_on_where(slurm, checkout, start, act):
    checkout.write(ENDLESS)
    snakemake = begin_second(checkout, start)
    before = checkout.runs()
    act(slurm, snakemake)
    wait_for(lambda: not slurm.call("squeue", "--noheader"))
    assert [path.name for path in (checkout.folder / SECOND).iterdir()] == [".lock"]
    snakemake.communicate(timeout=PATIENCE_SECONDS)
    assert snakemake.returncode != 0
    checkout.write({**TWICE, "repeats": 1})
    end(start())
    after = checkout.runs()
    assert (len(after), after["first/numpy"]) == (2, before["first/numpy"])


def test_a_job_is_cancelled_though_snakemake_is_looking_for_its_state(
    slurm, checkout, start, program_that_waits
):
    """Snakemake knows of no job meanwhile, so by itself it cancels none."""
    checkout.write(ENDLESS)
    squeue = program_that_waits("squeue")
    snakemake = begin_second(checkout, partial(start, programs=squeue.parent))
    wait_for(squeue.with_name("called").exists)
    snakemake.terminate()
    next(line for line in snakemake.stdout if line.startswith(STOPPING))
    squeue.with_name("end").touch()
    snakemake.communicate(timeout=PATIENCE_SECONDS)
    wait_for(lambda: not slurm.call("squeue", "--noheader"))


def test_a_set_is_measured_study_by_study_on_the_machines_of_each(checkout, start):
    names = "tiny", "tiny-again"
    for name in names:
        study = {**TWICE, "study": name, "cases": {"first": CASE}, "machines": MACHINES}
        (checkout.folder / f"{name}.yaml").write_text(yaml.safe_dump(study), encoding="utf-8")
    checkout.write({"studies": {name: [f"{name}.yaml"] for name in names}})
    targets = [f"results/{name}/measurements.csv" for name in names]
    end(start(targets=targets))
    runs = records(checkout, "tiny*")
    assert [record["status"] for record in runs] == ["ok"] * 8
    for machine, node in {"epyc": "a", "k20": "b"}.items():
        on_machine = [record for record in runs if record["job"]["machine_name"] == machine]
        assert {record["provenance"]["batch"]["node"] for record in on_machine} == {node}
        turns = [(record["job"]["study"], record["job"]["repeat"]) for record in on_machine]
        assert turns == [(name, repeat) for name in names for repeat in (1, 2)]
    assert "Nothing to be done" in end(start(targets=targets))


def test_a_machine_whose_partition_is_not_there_is_named_and_the_others_are_measured(
    checkout, start
):
    nowhere = {**MACHINES, "k20": {"resources": {"slurm_partition": "nowhere"}}}
    checkout.write({**TWICE, "repeats": 1, "cases": {"first": CASE}, "machines": nowhere})
    snakemake = start()
    printed, _ = snakemake.communicate(timeout=PATIENCE_SECONDS)
    assert snakemake.returncode != 0
    (message,) = [line for line in printed.splitlines() if "failed: Measure first@k20/" in line]
    assert "invalid partition specified: nowhere" in message
    assert list(checkout.runs()) == ["first@epyc/numpy"]
