"""Bringing the files of a data set here, whole and checked."""
