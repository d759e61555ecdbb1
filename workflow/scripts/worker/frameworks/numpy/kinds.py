"""The function of each kind of layer."""

from worker.frameworks.numpy import layers, recurrent, tokens

OF_IMAGES = (
    layers.conv,
    layers.batch_norm,
    layers.relu,
    layers.relu6,
    layers.silu,
    layers.sigmoid,
    layers.tanh,
    layers.max_pool,
    layers.average_pool,
    layers.lrn,
    layers.dropout,
    layers.concat,
    layers.global_average_pool,
    layers.dense,
    layers.add,
    layers.multiply,
)
OF_TOKENS = (
    tokens.patch_tokens,
    tokens.embedding,
    tokens.unembedding,
    tokens.positions,
    recurrent.lstm,
    tokens.layer_norm,
    tokens.gelu,
    tokens.attention,
    tokens.first_token,
    tokens.last_token,
)
KINDS = {function.__name__: function for function in (*OF_IMAGES, *OF_TOKENS)}
