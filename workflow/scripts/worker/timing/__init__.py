"""Timing: settling until steps are steady, calls, and the timed window."""
