"""Print this interpreter's version and its installed packages as one JSON object.

importlib.metadata is younger than Python 3.6, so the packages' own metadata files are read.
"""

import email
import json
import platform
import re
import sys
from pathlib import Path
from typing import Dict, Iterable

METADATA = ("*.dist-info/METADATA", "*.egg-info/PKG-INFO", "*.egg-info")


def packages(folders: Iterable[str]) -> Dict[str, str]:
    """Return {normalised name: version}; of several folders with a package the first one counts."""
    versions: Dict[str, str] = {}
    for folder in folders:
        for pattern in METADATA:
            for path in sorted(Path(folder).glob(pattern)):
                if path.is_file():
                    metadata = email.message_from_string(path.read_text(encoding="utf-8"))
                    name = re.sub(r"[-_.]+", "-", metadata["Name"]).lower()
                    versions.setdefault(name, metadata["Version"])
    return versions


if __name__ == "__main__":
    inventory = {"python": platform.python_version(), "packages": packages(sys.path)}
    print(json.dumps(inventory))
