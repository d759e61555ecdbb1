"""Timing: settling, calls, windows."""
