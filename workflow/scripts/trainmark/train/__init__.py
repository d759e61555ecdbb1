"""Launching a run: its process, its telemetry, its locks, its provenance."""
