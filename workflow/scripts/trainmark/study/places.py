"""Where in results/ the rules put what runs share; in braces the rules' wildcards."""

INSTALLED_LOCK = "results/environments/{environment}.json"
ENVIRONMENT_COMPLETE = "results/environments/{environment}/.complete"
SOURCE_RECORD = "results/data/{dataset}/source.json"
DATASET_INDEX = "results/data/{dataset}/{format}/dataset.json"
REFERENCE = "results/references/{reference}.npz"
