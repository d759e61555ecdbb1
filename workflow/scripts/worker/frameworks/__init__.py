"""One file per framework: the adapter that builds, trains and evaluates a network in it."""
