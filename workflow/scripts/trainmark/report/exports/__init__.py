"""A study in the form that other tools read."""
