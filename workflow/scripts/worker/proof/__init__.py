"""Parity: the check of equal work, before anything is timed."""
