"""Data: the files of a data set, and what each framework's format makes of them.

In: the data set's mirrors (machine.mirrors) or its own URLs; nothing for digits and synthetic ones.
Out: results/data/{dataset}/{format}/dataset.json, the index of the converted images beside it;
results/data/{dataset}/source.json, the record of the checked files in
results/data/{dataset}/source/. They are no output of the rule, so that Snakemake doesn't delete
what an interrupted download goes on from. Variants (mnist-32x32) and resized ones
(imagenet-short256) are converted from the record and files of the data set that they begin with.
Image files are not copied: source is a link to where the user has them, and the record tells what
was found there. Their conversion goes on from results/data/{dataset}/.{format}.partial where it was
interrupted.

Of a data set that can't be had source.json, and dataset.json of its conversions, hold the status
`unavailable` and the reason, and the rules succeed all the same.

Mirrors of checked files are no parameter: where these come from changes nothing in what they are.
Those of image files are one.
"""

from trainmark.runs.resources import converted_megabytes
from trainmark.study import datasets, paths, plugins


def is_subset(wildcards):
    """Whether a data set may be incomplete."""
    return datasets.origin(wildcards.dataset) in PLAN.config["machine"]["subset"]


def is_encoded(wildcards):
    """Whether a data set is of image files."""
    try:
        return datasets.facts(wildcards.dataset).encoded
    except plugins.UnknownPlugin:  # which the script tells
        return False


def image_folders(wildcards):
    """Where the user has image files; of other data sets nothing."""
    mirrors = PLAN.config["machine"]["mirrors"] if is_encoded(wildcards) else {}
    return mirrors.get(datasets.origin(wildcards.dataset), [])


def conversion_code(wildcards):
    """A digest of what reads the data set and writes the format."""
    return digest.of_conversion(wildcards.dataset, wildcards.format)


rule download:
    output:
        record=paths.SOURCE_RECORD,
    log:
        "results/logs/download/{dataset}.log",
    wildcard_constraints:
        dataset="[^/]+",
    localrule: True
    threads: 1
    resources:
        mem_mb=1000,
        runtime=240,
    params:
        subset=is_subset,
        folders=image_folders,
    message:
        "Get the data set {wildcards.dataset}"
    script:
        "../scripts/download.py"


rule convert:
    input:
        record=lambda wildcards: paths.source_record(wildcards.dataset),
    output:
        index=paths.DATASET_INDEX,
    log:
        "results/logs/convert/{dataset}-{format}.log",
    wildcard_constraints:
        dataset="[^/]+",
        format="[^/]+",
    # Image files that must be decoded are, by a thread on each core.
    threads: lambda wildcards: 10_000 if is_encoded(wildcards) else 1
    resources:
        mem_mb=2000,
        disk_mb=lambda wildcards: converted_megabytes(wildcards.dataset),
        # Of a node that the job shares.
        cpus_per_task=lambda wildcards: 4 if is_encoded(wildcards) else 1,
        # ImageNet, each image resized.
        runtime=720,
    params:
        subset=is_subset,
        code=conversion_code,
    message:
        "Convert {wildcards.dataset} to {wildcards.format}"
    script:
        "../scripts/convert.py"
