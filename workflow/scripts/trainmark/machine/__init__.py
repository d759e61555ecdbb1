"""The machine: what it is, what it does meanwhile, and who may use it."""
