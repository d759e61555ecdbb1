"""The forward pass of a network, for frameworks whose layers are functions of arrays."""


def forward(network, kinds, images, values):
    """Return the output of the last layer for a batch of images.

    `kinds` has a method for each kind of layer, which takes the layer, its weights by role and its
    inputs. `values` maps the weights' names to arrays.
    """
    outputs = {network.input.name: images}
    for layer in network.layers[1:]:
        inputs = [outputs[name] for name in layer.inputs]
        weights = {weight.role: values[weight.name] for weight in layer.weights}
        outputs[layer.name] = getattr(kinds, layer.kind)(layer, weights, *inputs)
    return outputs[layer.name]
