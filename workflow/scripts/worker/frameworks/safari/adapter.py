"""Safari, which has no adapter: a row of its own says why."""

TITLE = "Safari"
FORMAT = "tfrecord"
COLOUR = "#bcbcbc"
STAGES = ("infer",)
ENVIRONMENT = "web"
PRECISIONS = {"cpu": ("float32",)}
UNAVAILABLE = "Safari is for macOS and iOS only, and trainmark runs on Linux"
