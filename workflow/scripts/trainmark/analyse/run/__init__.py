"""Analysis of one run: metrics, checks, step times."""
