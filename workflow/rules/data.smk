"""Data: download of data sets, and their conversion to each framework's format.

In: a data set's mirrors (machine.mirrors) or its own URLs; nothing for digits and synthetic ones.
Out: results/data/<dataset>/source.json, the record of the checked files in
results/data/<dataset>/source/; results/data/<dataset>/<format>/dataset.json, the index of the
converted images beside it.

- The files and the images are no outputs of the rules: Snakemake would delete them after an
  interruption, and the download or conversion could not continue from them.
- Variants (mnist-32x32) and resized data sets (imagenet-short256) are converted from the files of
  the data set with which their name begins.
- Image files and folders of text are not copied: source is a link to the user's folder, and the
  record lists its files.
- Where a data set can't be obtained, source.json, and dataset.json of its conversions, have the
  status `unavailable` and the reason. The rules succeed all the same.
- Checked files are the same from every mirror, so mirrors are no parameter of the rules. Folders
  that source is a link to are one.
"""

from trainmark.runs.resources import converted_megabytes
from trainmark.study import datasets, paths, plugins


def is_subset(wildcards):
    """Whether a data set may be incomplete."""
    return datasets.origin(wildcards.dataset) in SHARED["subset"]


def facts_of(wildcards):
    """The facts of a data set, which the user may have named wrongly."""
    with one_line_errors():
        return datasets.facts(wildcards.dataset)


def is_encoded(wildcards):
    """Whether a data set is of image files."""
    return facts_of(wildcards).encoded


def linked_folders(wildcards):
    """The user's folders of files that stay where they are; none for other data sets."""
    is_linked = "HOW_TO_GET" in plugins.facts("data set", facts_of(wildcards).plugin)
    mirrors = SHARED["mirrors"] if is_linked else {}
    return mirrors.get(datasets.origin(wildcards.dataset), [])


def conversion_code(wildcards):
    """A digest of the code that reads the data set and writes the format."""
    with one_line_errors():
        return digest.of_conversion(wildcards.dataset, wildcards.format)


def megabytes(wildcards):
    """What a data set takes in its format."""
    with one_line_errors():
        return converted_megabytes(wildcards.dataset)


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
        folders=linked_folders,
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
    # Image files are decoded by a thread on each core.
    threads: lambda wildcards: 10_000 if is_encoded(wildcards) else 1
    resources:
        mem_mb=2000,
        disk_mb=megabytes,
        # On a node of a cluster that the job shares with others.
        cpus_per_task=lambda wildcards: 4 if is_encoded(wildcards) else 1,
        # Enough for ImageNet with each image resized.
        runtime=720,
    params:
        subset=is_subset,
        code=conversion_code,
    message:
        "Convert {wildcards.dataset} to {wildcards.format}"
    script:
        "../scripts/convert.py"
