"""A process for each of several devices, all led by the runner's."""
