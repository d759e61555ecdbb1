"""What is said of an environment that conda can't make."""

from trainmark.watch.conda_failures import reason

UNSOLVED = """\
CreateCondaEnvironmentException:
Could not create conda environment from /home/me/numpy.conda.yaml:
Command:
conda env create --quiet --file "/home/me/1.yaml" --prefix "/home/me/1"
Output:
Channels:
 - conda-forge
Solving environment: ...failed

LibMambaUnsatisfiableError: Encountered problems while solving:
  - nothing provides requested python 3.99*
"""
OLD = """\
CreateCondaEnvironmentException:
Conda must be version 24.7.1 or later, found version 4.3.16.
"""


def test_conda_s_first_error_with_its_lines_is_the_reason():
    assert reason(UNSOLVED) == (
        "LibMambaUnsatisfiableError: Encountered problems while solving:"
        " - nothing provides requested python 3.99*"
    )


def test_what_snakemake_says_of_conda_itself_is_the_reason():
    assert reason(OLD) == "Conda must be version 24.7.1 or later, found version 4.3.16."


def test_a_long_one_is_cut():
    assert reason(f"Output:\nSomeError: {'word ' * 200}").endswith("word …")
