"""As many runs as a study of workflow.py, with the same files, and nothing of trainmark."""

RUN = "results/large/runs/{case}/{framework}/{device}/{precision}/{stage}-{input}/r{repeat}"
RUNS = expand(
    f"{RUN}/run.json",
    case=[f"case-{number}" for number in range(CASES)],
    framework=[f"numpy-{number}" for number in range(FRAMEWORKS)],
    device="cpu",
    precision="float32",
    stage="train",
    input="dataset",
    repeat=range(1, REPEATS + 1),
)


rule all:
    input:
        RUNS,
        "results/large/report.html",


rule environment:
    output:
        "results/environments/numpy.json",
        "results/environments/numpy/.complete",
    shell:
        "touch {output}"


rule convert:
    output:
        "results/data/digits/lmdb/dataset.json",
    shell:
        "touch {output}"


rule reference:
    output:
        "results/references/lenet.npz",
    shell:
        "touch {output}"


rule train:
    input:
        "results/environments/numpy.json",
        ancient("results/environments/numpy/.complete"),
        "results/data/digits/lmdb/dataset.json",
        "results/references/lenet.npz",
    output:
        f"{RUN}/run.json",
    log:
        f"results/logs/{RUN}.log",
    script:
        "train.py"


rule events:
    input:
        RUNS,
    output:
        "results/large/events.jsonl",
    shell:
        "touch {output}"


rule measurements:
    input:
        "results/large/events.jsonl",
    output:
        "results/large/measurements.csv",
    shell:
        "touch {output}"


rule page:
    input:
        "results/large/measurements.csv",
    output:
        "results/large/report.html",
    shell:
        "touch {output}"
