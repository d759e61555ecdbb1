"""Show whether this release of MXNet computes GELU behind a dense layer as by its error function.

usage: python mxnet_gelu.py

On a CPU, the gradient by the dense layer's weights is off by 43 % in a graph of 1.5.1 (outside a
graph it is right), and output and gradient by some 0.02 % in 1.7.0, as by GELU's approximation by
tanh. 1.6.0, 1.8.0 and 1.9.1 agree to rounding.
"""

import mxnet
import numpy
from mxnet import nd, sym


def run(activation):
    """The output of dense, activation, dense, and the gradient by the first one's kernel."""
    x = sym.FullyConnected(sym.Variable("x"), num_hidden=64, name="first")
    y = sym.FullyConnected(activation(x), num_hidden=16, name="second")
    bound = y.simple_bind(mxnet.cpu(), x=(32, 16))
    random = numpy.random.RandomState(1)
    for array in bound.arg_dict.values():
        array[:] = 0.3 * random.standard_normal(array.shape)
    bound.forward(is_train=True)
    bound.backward(nd.ones(bound.outputs[0].shape))
    return bound.outputs[0].asnumpy(), bound.grad_dict["first_weight"].asnumpy()


def off(first, second):
    """The norm of the difference, of the second one's."""
    return numpy.linalg.norm(first - second) / numpy.linalg.norm(second)


operator = run(lambda x: sym.LeakyReLU(x, act_type="gelu"))
by_hand = run(lambda x: 0.5 * x * (1 + sym.erf(x * 0.5**0.5)))
output, gradient = map(off, operator, by_hand)
print(f"MXNet {mxnet.__version__}: output off by {output:.1e}, gradient by {gradient:.1e}")
