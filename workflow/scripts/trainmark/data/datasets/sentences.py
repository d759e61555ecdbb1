"""Sentences: generated text of words drawn evenly, the text that needs no download.

It is known how well it can be predicted. Each of a sentence's six words is one of sixteen, which
makes 24 bits, in 46 bytes on average. So the best model needs 24 / 46 = 0.522 bits per byte, and
some more for the first bytes of each window, which may begin in the middle of a word.
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from trainmark.data.read import text
from trainmark.data.read.chunks import Chunk

IMAGE_SHAPE = (1, 1, 128)
CLASSES = 256
TRAIN_COUNT = 8192
TEST_COUNT = 512
SOURCE_FILES = ()

SEEDS = {"train": 0, "test": 1}
SENTENCE = "the {} {} {} the {} {} {}.\n"
# fmt: off
ADJECTIVES = (
    "red", "small", "old", "quiet", "bright", "young", "tall", "brave", "gentle", "lazy", "clever",
    "hungry", "empty", "golden", "strange", "cold",
)
NOUNS = (
    "cat", "farmer", "river", "king", "tower", "ship", "baker", "garden", "wolf", "child",
    "mountain", "teacher", "bridge", "horse", "mill", "sea",
)
VERBS = (
    "sees", "follows", "paints", "finds", "wakes", "hears", "carries", "loves", "leaves", "meets",
    "helps", "fears", "draws", "seeks", "hides", "calls",
)
ADVERBS = (
    "today", "often", "again", "alone", "tonight", "always", "gladly", "slowly", "seldom", "twice",
    "daily", "early", "late", "outside", "nearby", "secretly",
)
# fmt: on
WORDS = (ADJECTIVES, NOUNS, VERBS, ADJECTIVES, NOUNS, ADVERBS)
SHORTEST = 35
"""Bytes of the shortest sentence, by which enough sentences are drawn."""


def read(source: Path, split: str) -> Iterator[Chunk]:
    """Yield windows of sentences; `source` is not needed."""
    needed = {"train": TRAIN_COUNT, "test": TEST_COUNT}[split] * IMAGE_SHAPE[2] + 1
    draws = np.random.default_rng(SEEDS[split]).integers(
        len(ADJECTIVES), size=(needed // SHORTEST, len(WORDS))
    )
    sentences = (
        SENTENCE.format(*(words[number] for words, number in zip(WORDS, row, strict=True)))
        for row in draws
    )
    yield from text.windows("".join(sentences).encode()[:needed], IMAGE_SHAPE[2])
