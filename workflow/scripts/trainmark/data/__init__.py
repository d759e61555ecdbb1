"""Data sets: download, unpacking, reading, and conversion to the frameworks' formats."""
