"""What the Snakemake workflow catalogue wants of a workflow of standardised usage.

https://snakemake.github.io/snakemake-workflow-catalog, "Adding workflows"; that workflow/Snakefile
can be taken as a module is a test of its own, tests/workflow/test_module.py.
"""

from pathlib import Path

import yaml

ROOT = Path(__file__).parents[2]


def test_its_files_are_where_the_catalogue_looks_for_them():
    assert (ROOT / "workflow" / "Snakefile").is_file()
    assert (ROOT / "config" / "README.md").is_file()
    assert (ROOT / "LICENSE").is_file()


def test_a_way_to_deploy_the_software_is_named():
    settings = yaml.safe_load((ROOT / ".snakemake-workflow-catalog.yml").read_text())
    assert settings["usage"]["software-stack-deployment"]["conda"] is True
