"""One module per CSV of a study: `tabulate` makes it of the runs, `read` reads it.

A table or a figure names the one that it is made from as its SOURCE.
"""

from pathlib import Path

import pandas as pd

from trainmark.errors import TrainmarkError
from trainmark.study import plugins


class DamagedTable(TrainmarkError):
    """A CSV of a study that can't be read any more."""


def read(path: Path) -> pd.DataFrame:
    """Read one of them, which its file's name tells; raises DamagedTable."""
    try:
        table: pd.DataFrame = plugins.load("csv", path.stem).read(path)
    except (ValueError, KeyError) as error:
        raise DamagedTable(
            f"{path} is damaged ({' '.join(str(error).split())}): delete it, and give the same "
            "command again"
        ) from error
    return table
