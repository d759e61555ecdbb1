"""What every framework found in the folder must keep, unasked."""

from collections import Counter

from trainmark.study import plugins

FRAMEWORKS = plugins.names("framework")


def test_each_framework_has_a_title_of_its_own():
    """By their titles the tables and figures tell them apart."""
    titles = Counter(plugins.facts("framework", name)["TITLE"] for name in FRAMEWORKS)
    assert [title for title, count in titles.items() if count > 1] == []
