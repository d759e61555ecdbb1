"""The code that a run, a conversion, a table or a figure is made by."""
