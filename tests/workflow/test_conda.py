"""`--sdm conda` by real conda packages of a channel on disk: a study of NumPy, measured."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import conda_channel
import pytest
from small_checkout import CASE, MEASUREMENTS, ROOT, STUDY, Checkout

from trainmark.environments import interpreters, specification

CONDA = Path(__file__).parent / "conda" / "bin"
CHANNEL = "channels/conda-forge"
WITH_CONDA = ("--sdm", "conda")
LOCKS = ROOT / "results" / "environments"
TINY = {
    **STUDY,
    "frameworks": ["numpy", "other"],
    "cases": {"first": CASE},
    "machine": {key: value for key, value in STUDY["machine"].items() if key != "interpreters"},
}
TOOL = "import pathlib\nWHERE = pathlib.Path(__file__)\n"


@pytest.fixture(scope="module")
def conda(tmp_path_factory):
    """A conda on PATH whose channel has Python 3.11 and a package that only conda has."""
    interpreter = next(interpreters.in_pyenv("3.11"), None)
    if interpreter is None:
        pytest.skip("the channel is made of pyenv's Python 3.11, which isn't here")
    home = tmp_path_factory.mktemp("conda")
    channel = home / CHANNEL
    conda_channel.add_python(channel, interpreter)
    packages = channel / "tool" / "lib" / "python3.11" / "site-packages"
    packages.mkdir(parents=True)
    (packages / "tool.py").write_text(TOOL)
    conda_channel.pack(channel, channel / "tool", "tool", "1.0")
    conda_channel.index(channel)
    programs = (str(CONDA), str(Path(sys.executable).parent), os.environ["PATH"])
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CONDA_TEST_HOME", str(home))
        patch.setenv("PATH", os.pathsep.join(programs))
        yield home


@pytest.fixture(scope="module")
def measured(conda, tmp_path_factory):
    """A checkout whose study was measured with conda; `other` asks for the package too."""
    checkout = Checkout(tmp_path_factory.mktemp("measured") / "checkout")
    checkout.write(TINY)
    change(checkout, "other", "  - pip\n", "  - tool=1.0\n  - pip\n")
    checkout.snakemake(MEASUREMENTS, *WITH_CONDA)
    yield checkout
    checkout.kill()


@pytest.fixture
def checkout(conda, tmp_path):
    """A checkout whose study was never measured."""
    checkout = Checkout(tmp_path / "checkout")
    checkout.write(TINY)
    yield checkout
    checkout.kill()


def change(checkout, name, before, after):
    """Change the file of an environment."""
    file = checkout.folder / "envs" / f"{name}.yaml"
    text = file.read_text()
    assert before in text
    file.write_text(text.replace(before, after))


def environment(checkout, name):
    path = checkout.folder / "results" / "environments" / f"{name}.json"
    return json.loads(path.read_text())


def its_python(checkout, name):
    """The interpreter that the environment's own one is a link to."""
    return (checkout.folder / f"results/environments/{name}/bin/python").resolve()


def statuses(checkout):
    """How the runs of each framework ended."""
    files = (checkout.folder / "results/tiny/runs").rglob("run.json")
    records = [json.loads(path.read_text()) for path in files]
    return {record["job"]["framework"]: record["status"] for record in records}


def test_the_python_is_conda_s_and_the_packages_are_the_lock_s(measured, tmp_path):
    on_conda = environment(measured, "numpy")
    assert its_python(measured, "numpy").is_relative_to(measured.folder / ".snakemake" / "conda")
    assert on_conda["interpreter"] == "results/environments/numpy/bin/python"
    plain = Checkout(tmp_path / "plain")
    plain.write(TINY)
    plain.snakemake("results/environments/numpy.json")
    assert on_conda == environment(plain, "numpy")


def test_packages_that_only_conda_has_are_there_too(measured):
    other = environment(measured, "other")
    assert other["status"] == "available"
    prefix = its_python(measured, "other").parents[1]
    assert other["variables"]["LD_LIBRARY_PATH"] == str(prefix / "lib")
    python = measured.folder / other["interpreter"]
    where = subprocess.check_output([python, "-c", "import tool; print(tool.WHERE)"], text=True)
    assert Path(where.strip()).is_relative_to(prefix)


def test_the_runs_are_measured(measured):
    assert statuses(measured) == {"numpy": "ok", "other": "ok"}


def test_nothing_is_measured_again_without_conda(measured):
    printed, runs = measured.snakemake()
    assert "Nothing to be done" in printed
    assert not runs


def test_deleted_environments_of_conda_come_back(measured):
    shutil.rmtree(measured.folder / ".snakemake" / "conda")
    printed, runs = measured.snakemake(MEASUREMENTS, *WITH_CONDA)
    assert not runs, printed
    assert its_python(measured, "numpy").exists()


def test_in_a_moved_checkout_what_is_used_is_built_again(measured, tmp_path):
    folder = tmp_path / "moved"
    measured.edit("trainmark/machine/file_locks.py", str(measured.folder), str(folder))
    measured.folder.rename(folder)
    measured.folder = folder
    assert not its_python(measured, "numpy").exists()
    measured.write({**TINY, "repeats": 2, "frameworks": ["numpy"]})
    printed, _ = measured.snakemake(MEASUREMENTS, *WITH_CONDA)
    assert re.search(r"environments/numpy: its .*/bin/python is gone: it will be built", printed)
    assert statuses(measured) == {"numpy": "ok", "other": "ok"}
    assert its_python(measured, "numpy").is_relative_to(folder)


def test_what_the_lock_lacks_is_unavailable(checkout):
    change(checkout, "other", "numpy==", "numpy!=")
    checkout.snakemake("results/environments/other.json", *WITH_CONDA)
    assert environment(checkout, "other")["status"] == "unavailable"


def test_no_environment_of_conda_is_made_for_gpus_that_are_missing(checkout):
    checkout.snakemake("results/environments/theano-cuda.json", *WITH_CONDA)
    assert environment(checkout, "theano-cuda")["status"] == "unavailable"
    assert not [*(checkout.folder / ".snakemake" / "conda").glob("*/")]


def test_a_python_that_is_not_clear_is_unavailable(checkout):
    change(checkout, "numpy", "python=3.11", "python")
    checkout.snakemake("results/environments/numpy.json", *WITH_CONDA)
    assert "must name its Python" in environment(checkout, "numpy")["reason"]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("conda-forge", "elsewhere", r"GatewayError: could not find .* channel .*/elsewhere/"),
        ("python=3.11", "python=3.99", r"SolverError: .* No candidates .* python 3\.99"),
    ],
    ids=["a channel that isn't there", "a Python that no channel has"],
)
def test_what_conda_cannot_make_ends_the_call_and_says_what(checkout, before, after, expected):
    change(checkout, "numpy", before, after)
    status, printed = checkout.call("results/environments/numpy.json", *WITH_CONDA)
    assert status == 1
    assert re.search(
        rf"^trainmark: --sdm conda: .*/numpy.conda.yaml: {expected}", printed, re.MULTILINE
    )
    assert "Command:" not in printed


def test_a_conda_that_snakemake_refuses_is_named(checkout, tmp_path, monkeypatch):
    program = tmp_path / "bin" / "conda"
    program.parent.mkdir()
    program.write_text((CONDA / "conda").read_text().replace("conda 25.9.0", "conda 4.3.16"))
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    status, printed = checkout.call("results/environments/numpy.json", *WITH_CONDA)
    assert status == 1
    assert re.search(r"^trainmark: --sdm conda: Conda must be version .* 4\.3\.16", printed, re.M)


@pytest.mark.whole
def test_every_environment_is_the_same_as_without_conda(conda, checkout):
    files = sorted((ROOT / "envs").glob("*.yaml"))
    channel = conda / CHANNEL
    for version in sorted({specification.read(file).python for file in files} - {"3.11"}):
        conda_channel.add_python(channel, next(interpreters.in_pyenv(version)))
    conda_channel.index(channel)
    checkout.snakemake("environments", *WITH_CONDA)
    without_conda = {path.stem: json.loads(path.read_text()) for path in LOCKS.glob("*.json")}
    for file in files:
        made = environment(checkout, file.stem)
        del made["digest"]
        expected = without_conda[file.stem]
        del expected["digest"]
        in_one_folder = json.dumps(expected).replace(str(ROOT), str(checkout.folder))
        assert made == json.loads(in_one_folder)
