"""One file per stage: what is measured once a network is built and proven."""
