"""What conda makes for an environment: its Python, beneath the packages of the hashed lock.

Packages that only conda has come with it. All else is installed from the lock, as without conda,
into a virtual environment of that Python: so both ways lead to the same packages.
"""

from pathlib import Path

import yaml

from trainmark.environments.specification import Specification


def write(specification: Specification, path: Path) -> None:
    """Write the file that conda makes an environment of, unless it is as it should be.

    Environments of equal content are one for Snakemake, so it names none.
    """
    content = {
        "channels": list(specification.channels),
        "dependencies": [f"python={specification.python}", *specification.conda_packages],
    }
    text = yaml.safe_dump(content)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
