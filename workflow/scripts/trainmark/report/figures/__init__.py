"""One file per figure, or several figures that differ by constants (study.plugins).

A figure has two functions:

- `data(source)` gives what it shows, from the CSV file of a study that it names as its source,
- `draw(data, title, note)` gives the figure, with the lines of `note` last at its foot.
"""

from collections.abc import Callable
from typing import NamedTuple

import pandas as pd
from matplotlib import figure


class Functions(NamedTuple):
    """The functions of one of several figures in a file."""

    data: Callable[[pd.DataFrame], pd.DataFrame]
    draw: Callable[..., figure.Figure]
