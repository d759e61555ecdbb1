"""Charts of one metric: one file per style.

Each file has two functions:

- `data(measurements, metric)` gives a row per bar or gap,
- `draw(data, metric, title, notes)` gives the figure, with the lines of `notes` at its foot.

A study's charts are of one case each (key `charts`); figures of one metric are of all cases
(figures/metrics.py).
"""
