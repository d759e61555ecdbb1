"""Core ML, which has no adapter: a row of its own says why."""

TITLE = "Core ML"
FORMAT = "tfrecord"
COLOUR = "#8a8a8a"
STAGES = ("infer",)
ENVIRONMENT = "executorch"
PRECISIONS = {"cpu": ("float32",)}
UNAVAILABLE = "Core ML predicts on macOS and iOS only, and trainmark runs on Linux"
