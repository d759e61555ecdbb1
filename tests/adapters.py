"""Which adapters do what, by what stands at the top of their files."""

from trainmark.study import plugins, stages

ALL = plugins.names("framework")
TRAINING = [name for name in ALL if stages.has(name, "train")]
RUNTIMES = [name for name in ALL if name not in TRAINING and stages.can_be_had(name)]
ON_SEVERAL_DEVICES = [name for name in TRAINING if plugins.facts("framework", name).get("SEVERAL")]
ON_ONE_DEVICE = [name for name in TRAINING if name not in ON_SEVERAL_DEVICES]
