"""Timing: warm-up until steps are steady, calls, and the timed window."""
