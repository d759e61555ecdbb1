"""Paths in results/ of what runs share; in braces the rules' wildcards."""

from trainmark.study.datasets import origin

INSTALLED_LOCK = "results/environments/{environment}.json"
ENVIRONMENT_COMPLETE = "results/environments/{environment}/.complete"
SOURCE_RECORD = "results/data/{dataset}/source.json"
DATASET_INDEX = "results/data/{dataset}/{format}/dataset.json"
ATTACKER = "attack"
"""The environment of what attacks."""
REFERENCE = "results/references/{reference}.npz"


def source_record(dataset: str) -> str:
    """The record of the files that a data set is made of: that of the one that is downloaded."""
    return SOURCE_RECORD.format(dataset=origin(dataset))
