"""Watching a study while it runs: what is done, what is left, how long that will take."""
