"""From the records, logs and telemetry of runs to measurements."""
