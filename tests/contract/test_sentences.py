"""Numbers in sentences of documents are those of the archives that these lead to."""

import pytest
from archive_numbers import Number, assert_written
from sentences import guides, language, latency, studies

SENTENCES = [
    sentence
    for documents in (guides, language, latency, studies)
    for sentence in documents.SENTENCES
]


@pytest.mark.parametrize(
    ("document", "sentence", "numbers"),
    SENTENCES,
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_sentence_has_the_numbers_of_its_archive(
    document: str, sentence: str, numbers: list[Number]
) -> None:
    assert_written(document, sentence, numbers)
