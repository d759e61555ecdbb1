"""What is known of the repeats behind a row of a table of trained weights."""

from typing import Any

import numpy as np
import pandas as pd


def facts(runs: pd.DataFrame) -> dict[str, Any]:
    """Machine, status ("ok" if any run was), remark (the first), disturbed and repeats (runs)."""
    ok = runs["status"] == "ok"
    first = (runs[ok] if ok.any() else runs).iloc[0]
    remarks = runs["absent"].astype(object).fillna(runs["reason"]).dropna()
    return {
        "machine": first["machine"],
        "status": first["status"],
        "remark": remarks.iloc[0] if len(remarks) else np.nan,
        "disturbed": int((ok & runs["disturbed"]).sum()),
        "repeats": len(runs),
    }
