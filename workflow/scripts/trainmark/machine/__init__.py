"""The machine: its hardware, its telemetry, its locks."""
