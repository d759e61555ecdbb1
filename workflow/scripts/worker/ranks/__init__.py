"""One process per device, led by the runner's process."""
