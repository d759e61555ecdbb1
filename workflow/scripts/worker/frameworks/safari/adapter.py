"""Safari, which has no adapter; its row in the tables has the reason."""

TITLE = "Safari"
FORMAT = "tfrecord"
COLOUR = "#bcbcbc"
STAGES = ("infer",)
ENVIRONMENT = "web"
PRECISIONS = {"cpu": ("float32",)}
UNAVAILABLE = "Safari is for macOS and iOS only, and trainmark runs on Linux"
