"""One file per table.

A table has a TITLE, a BLOCK (the column by whose values its rows are grouped), and functions:

- `make(source)` gives its numbers, unrounded: its CSV file,
- `show(numbers)` gives them as texts for readers,
- `notes(numbers)` gives the notes below it.

It may have a SOURCE (a CSV of the study instead of the measurements) and NONE (its only note where
it has no rows).
"""
