"""Published studies: one file each, named as its folder in resources/published.

Each has a TITLE, its authors and year, SETS, the names of its result sets, which
analyse/published/studies.py reads, and three functions:

- `read(folder)` reads the files of its folder; what it gives is handed to the other two,
- `tables(published)` gives its tables, by the names of their files,
- `figures(published)` gives its figures as `Drawing`, likewise.

What was published without a value is empty in values.csv, and has its reason in the tables.
"""
