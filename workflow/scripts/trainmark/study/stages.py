"""What a stage says of itself: the metric by which its runs are told, ranked and compared."""

from trainmark.study import plugins


def main_metric(stage: str) -> str:
    """The metric of a stage that comes first; raises UnknownPlugin."""
    return str(plugins.facts("stage", stage)["MAIN_METRIC"])


def higher_is_better(metric: str) -> bool:
    """Whether a higher value of a metric is the better one; raises UnknownPlugin."""
    return bool(plugins.facts("metric", metric)["HIGHER_IS_BETTER"])
