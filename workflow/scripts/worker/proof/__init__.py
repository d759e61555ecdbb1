"""Proof of equal work, before anything is timed."""
