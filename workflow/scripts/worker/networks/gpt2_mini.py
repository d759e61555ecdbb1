"""A decoder of GPT-2's form and BERT-Mini's size: four blocks of 256 features."""

from worker.networks.families.gpt import Size, decoder
from worker.networks.neutral.builder import Layer, Network

SOURCE = "Radford et al. 2019; the size is BERT-Mini's of Turc et al. 2019, table 1"
# GPT-2's arithmetic: 256 rows and 128 positions of 256 features, 789,760 weights in each block, and
# the last normalisation.
PUBLISHED = {"1x1x128-256": 3257856}
READS_TEXT = True
LANGUAGE_MODEL = True


def define(net: Network) -> Layer:
    """Tokens to logits of the next tokens."""
    return decoder(net, Size(blocks=4, features=256, heads=4))
