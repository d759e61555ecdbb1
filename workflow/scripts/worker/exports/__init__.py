"""Exports of a study by other tools' libraries, each in its own environment."""
