"""Two cases of the same name are refused by the workflow before anything runs."""

import subprocess
import sys
from pathlib import Path

SNAKEFILE = Path(__file__).parents[2] / "Snakefile"
STUDY = """\
study: example
cases:
  lenet-digits: {network: lenet}
  lenet-digits: {network: lenet}
"""


def test_two_cases_of_the_same_name_are_reported_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "study.yaml").write_text(STUDY, encoding="utf-8")
    command = ["-m", "snakemake", "--snakefile", SNAKEFILE, "--configfile", "study.yaml", "-n"]
    refused = subprocess.run(
        [sys.executable, *command], cwd=tmp_path, capture_output=True, text=True
    )
    assert refused.returncode == 1
    assert refused.stderr.splitlines()[-1] == (
        f"trainmark: {tmp_path}/study.yaml: cases: lenet-digits entered twice, in line 3 and in "
        "line 4, and only the last would count; rename or remove one"
    )
