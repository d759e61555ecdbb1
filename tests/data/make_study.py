"""Write the small study beside this file that the tests of analysis and report read.

usage: python tests/data/make_study.py

Two cases, four frameworks, three repeats: ok, disturbed, failed, timed_out and unavailable, each
in the files and formats that real runs leave. The numbers are made from a fixed seed.
"""

import json
import random
from pathlib import Path

FOLDER = Path(__file__).parent / "study"
STEPS, WARMUP_STEPS, BATCH_SIZE = 20, 5, 64
EVERY = {"lenet-digits": 5, "resnet50-cifar10": 0}
OK = {
    ("lenet-digits", "pytorch"): 0.0121,
    ("lenet-digits", "tensorflow"): 0.0139,
    ("lenet-digits", "mxnet"): 0.0116,
    ("lenet-digits", "jax"): 0.0174,
    ("resnet50-cifar10", "pytorch"): 0.452,
}
ENDED = {
    ("resnet50-cifar10", "tensorflow"): ("timed_out", "no end within 600 s", None),
    ("resnet50-cifar10", "mxnet"): ("failed", "parity: logits_after off by 3.1e-02", 4),
    ("resnet50-cifar10", "jax"): ("unavailable", "no interpreter of Python 3.6 was found", None),
}
DISTURBED = {("lenet-digits", "jax", 2)}
CASES = {
    "lenet-digits": ("lenet", "digits", [1, 28, 28], 431080),
    "resnet50-cifar10": ("resnet50", "cifar10", [3, 32, 32], 23520842),
}
COLUMNS = (
    "time_seconds", "cpu_busy_seconds", "cpu_steal_seconds", "own_cpu_seconds",
    "launcher_cpu_seconds", "own_memory_bytes", "swapped_bytes", "own_system_seconds",
    "cpu_waiting_seconds", "own_read_bytes", "own_written_bytes", "network_received_bytes",
    "network_sent_bytes",
)  # fmt: skip
VERSIONS = {"pytorch": "2.4.1", "tensorflow": "2.16.2", "mxnet": "1.9.1", "jax": "0.4.30"}


def job(case: str, framework: str, repeat: int) -> dict:
    """Return the settings of one run."""
    network, dataset, image_shape, _ = CASES[case]
    return {
        "study": "recorded", "case": case, "framework": framework, "adapter": framework,
        "environment": framework, "device": "cpu", "precision": "float32", "stage": "train",
        "input_mode": "dataset", "thread_count": "all", "machine_name": "default",
        "repeat": repeat, "protocol": 1, "network": network,
        "dataset": dataset, "image_shape": image_shape, "classes": 10,
        "batch_size": BATCH_SIZE, "steps": STEPS, "latency_steps": 0,
        "window_seconds": 0.0, "max_seconds": None, "warmup_steps": WARMUP_STEPS,
        "warmup_seconds": 1.0, "warmup_limit_seconds": 10.0,
        "optimiser": "sgd", "learning_rate": 0.01, "schedule": {}, "bias_rate": 1.0,
        "pixels": {}, "augment": [], "shuffle": False,
        "momentum": 0.9, "weight_decay": 0.0005, "seed": 1,
        "evaluate": case == "lenet-digits", "evaluate_every": EVERY[case],
        "keep_weights": False, "options": {}, "threads": 2, "timeout_seconds": 600,
        "data": f"/nowhere/{dataset}/dataset.json", "reference": f"/nowhere/{network}.npz",
        "trained_by": None, "trained": None, "corruptions": [], "corrupted_images": 0,
        "attacks": [], "epsilons": [], "attack_images": 0,
        "attacked_by": None, "attacked": None, "attacker": None,
    }  # fmt: skip


def events(case: str, framework: str, step_seconds: float, dice: random.Random) -> list[dict]:
    """Return what the worker of one run that ends well tells."""
    parameters = CASES[case][3]
    ends, clock = [], 0.0
    for _ in range(STEPS):
        clock += step_seconds * dice.uniform(0.97, 1.06)
        ends.append(round(clock, 6))
    start = 100.0 + 3 + 7 * step_seconds
    parity = dice.uniform(2e-6, 9e-6)
    told = [
        ("start", 100.0, {"python": "3.11.7", "pid": 4242}),
        ("environment", 101.9, {"framework": framework, "version": VERSIONS[framework],
                                "threads": 2, "libraries": {"blas": "openblas"}, "flags": {},
                                "devices": ["cpu"], "device_batch_size": BATCH_SIZE}),
        ("network", 101.9, {"parameter_count": parameters, "model_bytes": 4 * parameters,
                             "weight_types": ["float32"], "compute_types": ["float32"]}),
        ("built", 102.0, {"import_seconds": 1.8, "build_seconds": 0.1}),
        ("first_step", 102.5, {"seconds": 0.5}),
        ("parity", 102.9, {"error": parity, "logits": parity, "loss": parity / 8,
                           "gradient_norm": parity / 2, "momentum": parity / 4,
                           "logits_after": parity, "worst_layer": "conv1", "passed": True}),
        ("settled", start - 5 * step_seconds, {
            "steps": 80, "seconds": 80 * step_seconds, "steady": True,
            "step_milliseconds": [1000 * step_seconds] * 8}),
        ("warmup", start, {"steps": WARMUP_STEPS, "seconds": WARMUP_STEPS * step_seconds}),
        ("window_start", start, {}),
        ("window_end", start + clock, {
            "steps": STEPS, "images": STEPS * BATCH_SIZE, "wait_seconds": 0.04 * clock,
            "step_end_seconds": ends,
            "losses": [round(2.3 * 0.93**step, 6) for step in range(STEPS)]}),
    ]  # fmt: skip
    if case == "lenet-digits":
        accuracy = {"count": 297, "top1": dice.uniform(95, 97), "top5": 99.6, "seconds": 0.21}
        told.append(("evaluation", start + clock + 0.3, accuracy))
        told.append(("accuracies", start + 2 * clock + 0.8, accuracies(step_seconds)))
    told.append(("end", told[-1][1] + 0.1, {}))
    return [{"event": kind, "time_seconds": round(time, 6), **rest} for kind, time, rest in told]


def accuracies(step_seconds: float) -> dict:
    """Return what the worker tells of the further training that is evaluated on its way."""
    steps = list(range(EVERY["lenet-digits"], WARMUP_STEPS + STEPS + 1, EVERY["lenet-digits"]))
    return {
        "steps": steps,
        "seconds": [1.01 * step_seconds * step for step in steps],
        "top1": [96 * (1 - 0.8**step) for step in steps],
        "top5": [99.6 * (1 - 0.7**step) for step in steps],
    }


def log(told: list[dict]) -> str:
    """Return a worker's log: its events among what a framework prints."""
    lines = ["Some framework's own warning: oneDNN custom operations are on."]
    return "\n".join(lines + [f"@trainmark {json.dumps(event)}" for event in told]) + "\n"


def telemetry(told: list[dict]) -> str:
    """Return the host's samples, ten a second, from before the start until after the end."""
    lines = [",".join(COLUMNS)]
    last = told[-1]["time_seconds"] if told else 100.4
    for sample in range(round((last - 99.9) * 10) + 6):
        own, launcher = 0.18 * sample, 0.0004 * sample
        seconds = [99.9 + 0.1 * sample, 5000 + 1.02 * own, 1.25, own, launcher]
        memory_bytes = min(620, 40 + 22 * sample) * 2**20
        further = [0.06 * own, 310.5 + 0.002 * sample]
        counters = [4096 * sample, 8192 * sample, 7_000_000 + 600 * sample, 900_000 + 90 * sample]
        numbers = [*seconds, memory_bytes, 0, *further, *counters]
        lines.append(",".join(str(n) if isinstance(n, int) else f"{n:.6f}" for n in numbers))
    return "\n".join(lines) + "\n"


def lock(environment: str, status: str) -> dict:
    """Return what was installed."""
    if status == "unavailable":
        return {"environment": environment, "status": status, "reason": "no interpreter"}
    return {
        "environment": environment, "status": "available", "reason": None,
        "interpreter": f"results/environments/{environment}/bin/python", "python": "3.11.7",
        "packages": {"numpy": "1.26.4"}, "variables": {},
    }  # fmt: skip


def record(settings: dict, told: list[dict], ended: tuple, disturbed: bool) -> dict:
    """Return run.json."""
    status, reason, exit_code = ended
    times = {event["event"]: event["time_seconds"] for event in told}
    ok = status == "ok"
    window = {"start_seconds": times.get("window_start"), "end_seconds": times.get("window_end")}
    load = {"own_cpu": 1.8, "other_cpu": 0.4 if disturbed else 0.01, "steal": 0.0}
    host = {
        "hostname": "example", "cpu": "Example CPU 2.5 GHz", "cores": 2,
        "memory_bytes": 8 * 2**30, "kernel": "6.1", "system": "Linux", "clock_megahertz": 2500.0,
        "governor": None, "model": None, "microcode": None, "vectors": "avx2 fma",
        "caches": "32K L1, 1024K L2", "hypervisor": None,
    }  # fmt: skip
    return {
        "status": status, "reason": reason, "disturbed": disturbed,
        "disturbances": ["0.40 cores used by others"] if disturbed else [],
        "attempts": 3 if disturbed else 1, "job": settings, "exit_code": exit_code,
        "signal": "SIGKILL" if status == "timed_out" else None,
        "wall_seconds": 600.1 if status == "timed_out" else 5.2, "rejected_events": 0,
        "window": window if ok else None, "load": load if ok else None,
        "images": STEPS * BATCH_SIZE if ok else None,
        "memory_peak_bytes": 620 * 2**20 if ok else None,
        "gpu_idle_watts": None,
        "worker": next((event for event in told if event["event"] == "environment"), None),
        "provenance": {
            "started": "2026-01-01T00:00:00+00:00", "host": host, "batch": None, "gpus": [],
            "environment": lock(settings["environment"], status), "code": "", "revision": None,
            "snakemake": "9.27.1", "trainmark": "0.1.0",
        },
    }  # fmt: skip


def write_run(case: str, framework: str, repeat: int) -> None:
    """Write one run's folder."""
    dice = random.Random(f"{case} {framework} {repeat}")
    settings = job(case, framework, repeat)
    told = []
    if (case, framework) in OK:
        step_seconds = OK[case, framework] * dice.uniform(0.98, 1.03)
        told = events(case, framework, step_seconds, dice)
    ended = ENDED.get((case, framework), ("ok", None, 0))
    disturbed = (case, framework, repeat) in DISTURBED
    folder = FOLDER / "runs" / case / framework / f"cpu/float32/train-dataset/r{repeat}"
    folder.mkdir(parents=True, exist_ok=True)
    started = ended[0] != "unavailable"
    (folder / "worker.log").write_text(log(told) if started else "")
    (folder / "telemetry.csv").write_text(telemetry(told) if started else "")
    text = json.dumps(record(settings, told, ended, disturbed), indent=1)
    (folder / "run.json").write_text(text + "\n")


if __name__ == "__main__":
    for case, framework in [*OK, *ENDED]:
        for repeat in (1, 2, 3):
            write_run(case, framework, repeat)
