"""Analysis across runs: repeats, frameworks, devices, result sets."""
