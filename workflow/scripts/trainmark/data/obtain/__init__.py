"""Obtaining the files of a data set, complete and checked."""
