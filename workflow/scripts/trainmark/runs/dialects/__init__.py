"""One file per framework's log format: `events(log, announced)` gives a worker's events."""
