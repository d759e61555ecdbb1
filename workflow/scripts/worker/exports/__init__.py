"""Exports: what other tools' own libraries write of a study, each in an environment of its own."""
