"""Which adapters train on several devices, by what stands at the top of their files."""

from trainmark.study import plugins

ON_SEVERAL_DEVICES = [
    name for name in plugins.names("framework") if plugins.facts("framework", name).get("SEVERAL")
]
ON_ONE_DEVICE = [name for name in plugins.names("framework") if name not in ON_SEVERAL_DEVICES]
