"""LiteRT on a phone, which has no adapter; its row in the tables has the reason."""

TITLE = "LiteRT (phone)"
FORMAT = "tfrecord"
COLOUR = "#a3a3a3"
STAGES = ("infer",)
ENVIRONMENT = "litert"
PRECISIONS = {"cpu": ("float32",)}
UNAVAILABLE = (
    "no phone can be measured from here: take LiteRT's model file to one, and read the log of its "
    "benchmark_model back (snakemake phones)"
)
