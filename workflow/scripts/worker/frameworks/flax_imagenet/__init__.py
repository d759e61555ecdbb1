"""JAX in the form of the ImageNet example of Flax."""
