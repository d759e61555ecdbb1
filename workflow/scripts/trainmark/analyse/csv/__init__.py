"""One module per CSV of a study: `tabulate` makes it of the runs, `read` reads it.

A table or a figure names the one that it is made from as its SOURCE.
"""

from pathlib import Path

import pandas as pd

from trainmark.files import DamagedFile
from trainmark.study import plugins


def read(path: Path) -> pd.DataFrame:
    """Read one of them, which its file's name tells; raises DamagedFile."""
    try:
        plugin = plugins.load("csv", path.stem)
        is_parquet = path.suffix == ".parquet"
        table: pd.DataFrame = (plugin.read_parquet if is_parquet else plugin.read)(path)
    except (ValueError, KeyError, TypeError, OverflowError) as error:
        raise DamagedFile(path, error) from error
    return table
