"""Where the project has what benchmarks use; importing this puts trainmark on the path."""

import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
SCRIPTS = ROOT / "workflow" / "scripts"
RIVALS = ROOT / "benchmarks" / "rivals"
"""The scripts of a comparison's sides, which run in processes of their own."""

sys.path.insert(0, str(SCRIPTS))
