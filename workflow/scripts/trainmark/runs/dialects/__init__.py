"""One file per log of a framework's own: `events(log, announced)` makes a worker's events of it."""
