"""Which adapters do what, by what stands at the top of their files."""

from trainmark.study import plugins, stages

ALL = plugins.names("framework")
OWN_LOOPS = [name for name in ALL if plugins.facts("framework", name).get("STAGES") == ("train",)]
"""Those that train by their framework's own loop, and have all else from another adapter."""
TRAINING = [name for name in ALL if stages.has(name, "train") and name not in OWN_LOOPS]
RUNTIMES = [n for n in ALL if not stages.has(n, "train") and stages.can_be_had(n)]
ON_SEVERAL_DEVICES = [name for name in TRAINING if plugins.facts("framework", name).get("SEVERAL")]
ON_SEVERAL_NODES = [n for n in ON_SEVERAL_DEVICES if plugins.facts("framework", n).get("NODES")]
ON_ONE_DEVICE = [name for name in TRAINING if name not in ON_SEVERAL_DEVICES]
