"""Core ML, which has no adapter; its row in the tables has the reason."""

TITLE = "Core ML"
FORMAT = "tfrecord"
COLOUR = "#8a8a8a"
STAGES = ("infer",)
ENVIRONMENT = "executorch"
PRECISIONS = {"cpu": ("float32",)}
UNAVAILABLE = "Core ML predicts on macOS and iOS only, and trainmark runs on Linux"
