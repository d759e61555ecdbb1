"""What several runs say together: repeats, frameworks, devices, result sets."""
