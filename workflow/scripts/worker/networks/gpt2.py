"""GPT-2, the smallest one: twelve decoder blocks of 768 features, up to 1,024 tokens.

The vocabulary is the data set's classes, in the published form 50,257. GELU is the exact one, not
its approximation by tanh, and there is no dropout.
"""

from worker.networks.families.gpt import Size, decoder
from worker.networks.neutral.builder import Layer, Network

SOURCE = "Radford et al. 2019, Language Models are Unsupervised Multitask Learners"
PUBLISHED = {"1x1x1024-50257": 124439808}
READS_TEXT = True
LANGUAGE_MODEL = True


def define(net: Network) -> Layer:
    """Tokens to logits of the next tokens."""
    return decoder(net, Size(blocks=12, features=768, heads=12))
