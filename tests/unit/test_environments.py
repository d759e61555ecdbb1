"""Environment files, their locks, the machine's package sources, and finding interpreters."""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

from trainmark.environments import (
    Unavailable,
    conda_file,
    installed,
    interpreters,
    locks,
    package_sources,
    recipes,
    uv,
    virtual,
)
from trainmark.environments.commands import require_programs, run, useful_line
from trainmark.environments.specification import Specification, find, read
from trainmark.files import file_digest

ROOT = Path(__file__).parents[2]
ENVIRONMENTS = sorted((ROOT / "envs").glob("*.yaml"))


def environment_file(folder: Path, *dependencies: str, more: str = "") -> Path:
    lines = "".join(f"  - {dependency}\n" for dependency in dependencies)
    path = folder / "some.yaml"
    path.write_text(f"name: some\ndependencies:\n{lines}{more}")
    return path


def wanting(*requirements: str) -> Specification:
    return Specification(Path("some.yaml"), "3.11", requirements)


def lock_file(folder: Path, *pins: str) -> Path:
    path = folder / "some.lock"
    path.write_text("".join(f"{pin} \\\n    --hash=sha256:00\n" for pin in pins))
    return path


def fake_python(path: Path, version: str) -> Path:
    """A program that answers as an interpreter of a version does, or fails where it is empty."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\necho {version}\n" if version else "#!/bin/sh\nexit 127\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def pyenv(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty pyenv, and a PATH of one empty folder, `path`."""
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path / "pyenv"))
    monkeypatch.setenv("PATH", str(tmp_path / "path"))
    return tmp_path / "pyenv" / "versions"


class TestEnvironmentFile:
    def test_python_requirements_and_variables_are_read(self, tmp_path: Path) -> None:
        more = "  - pip:\n      - numpy==2.4.6\n      - lmdb\nvariables:\n  THREADS: 2\n"
        path = environment_file(tmp_path, "conda-forge::python=3.11", "pip", more=more)
        expected = Specification(path, "3.11", ("numpy==2.4.6", "lmdb"), (), {"THREADS": "2"})
        assert read(path) == expected

    def test_conda_packages_need_conda(self, tmp_path: Path) -> None:
        path = environment_file(tmp_path, "python=3.7", "pygpu=0.7.6")
        with pytest.raises(Unavailable, match=r"conda's pygpu=0\.7\.6: run with --sdm conda"):
            read(path).require_no_conda()

    @pytest.mark.parametrize("python", ["python", "python>=3.9", "numpy"])
    def test_the_version_of_python_must_be_clear(self, tmp_path: Path, python: str) -> None:
        with pytest.raises(Unavailable):
            read(environment_file(tmp_path, python)).require_clear_python()


class TestFileForConda:
    def test_it_has_the_python_and_what_only_conda_has(self, tmp_path: Path) -> None:
        more = "  - pip: [numpy]\nchannels: [mine]\nvariables: {UV_TORCH_BACKEND: cpu}\n"
        path = environment_file(tmp_path, "python=3.7", "pygpu=0.7.6", "pip", more=more)
        conda_file.write(read(path), tmp_path / "conda.yaml")
        assert yaml.safe_load((tmp_path / "conda.yaml").read_text()) == {
            "channels": ["mine"],
            "dependencies": ["python=3.7", "pygpu=0.7.6"],
        }

    def test_environments_of_one_python_have_the_same(self, tmp_path: Path) -> None:
        for name in ("pytorch", "numpy"):
            conda_file.write(read(ROOT / "envs" / f"{name}.yaml"), tmp_path / name)
        assert (tmp_path / "pytorch").read_text() == (tmp_path / "numpy").read_text()


class TestLock:
    @pytest.mark.parametrize("path", ENVIRONMENTS, ids=lambda path: path.stem)
    def test_every_environment_has_a_hashed_lock_that_fits(self, path: Path) -> None:
        specification, lock = read(path), path.with_suffix(".lock")
        specification.require_clear_python()
        locks.check(specification, lock)
        text = lock.read_text()
        entries = re.split(r"\n(?=\S)", text)[1:]
        assert all("--hash=sha256:" in entry for entry in entries)
        assert "://" not in text, "a lock must not name a package registry"

    @pytest.mark.parametrize(
        ("group", "lock"),
        [
            ("dev", "requirements.lock"),
            ("slurm", "requirements-slurm.lock"),
            ("site", "requirements-site.lock"),
        ],
    )
    def test_a_host_environment_s_lock_fits_the_project_file(self, group: str, lock: str) -> None:
        project = tomllib.loads((ROOT / "pyproject.toml").read_text())
        wanted = [] if group == "site" else project["project"]["dependencies"]
        locks.check(wanting(*wanted, *project["dependency-groups"][group]), ROOT / lock)
        assert "://" not in (ROOT / lock).read_text(), "a lock must not name a package registry"

    def test_both_host_environments_have_the_same_versions(self) -> None:
        names = ("requirements.lock", "requirements-slurm.lock")
        our_pins, with_plugins = (locks.pins((ROOT / name).read_text()) for name in names)
        both = our_pins.keys() & with_plugins.keys()
        assert {name: our_pins[name] for name in both} == {
            name: with_plugins[name] for name in both
        }

    def test_a_local_build_and_extras_fulfil_a_plain_pin(self, tmp_path: Path) -> None:
        lock = lock_file(tmp_path, "torch==2.13.0+cpu", "jax==0.12.0.1", "typing-extensions==4.1")
        locks.check(wanting("torch==2.13.0", "jax[cpu]==0.12.0.1", "Typing_Extensions"), lock)

    def test_a_strict_pin_takes_no_local_build(self, tmp_path: Path) -> None:
        locks.check(wanting("torch===2.13.0"), lock_file(tmp_path, "torch===2.13.0"))
        with pytest.raises(Unavailable, match="out of date"):
            locks.check(wanting("torch===2.13.0"), lock_file(tmp_path, "torch==2.13.0+cpu"))

    @pytest.mark.parametrize("requirement", ["numpy==2.4.6", "lmdb"])
    def test_a_lock_that_does_not_fit_is_out_of_date(
        self, tmp_path: Path, requirement: str
    ) -> None:
        with pytest.raises(Unavailable, match=f"out of date.*{requirement}.*make lock"):
            locks.check(wanting(requirement), lock_file(tmp_path, "numpy==2.4.5"))

    def test_builds_of_a_name_are_parted_from_all_else(self, tmp_path: Path) -> None:
        lock = lock_file(tmp_path, "sympy==1.14.0", "torch==2.13.0+cpu", "torchvision==0.28.0")
        built, others = locks.split(lock.read_text(), build="cpu")
        assert built == "torch==2.13.0+cpu \\\n    --hash=sha256:00\n"
        assert locks.pins(others) == {"sympy": "1.14.0", "torchvision": "0.28.0"}

    def test_a_missing_lock_is_reported(self, tmp_path: Path) -> None:
        with pytest.raises(Unavailable, match="is missing: run `make lock`"):
            locks.check(wanting("numpy"), tmp_path / "none.lock")

    def test_a_release_s_lock_of_another_day_is_out_of_date(self, tmp_path: Path) -> None:
        table = ROOT / "envs" / "releases" / "jax.yaml"
        release = find("jax-0.4.13", table)
        locks.check(release, release.lock)
        for path in (table, release.lock):
            text = path.read_text().replace("2026-01-01", "2025-01-01")
            (tmp_path / path.name).write_text(text if path == table else path.read_text())
        edited = find("jax-0.4.13", tmp_path / table.name)
        with pytest.raises(Unavailable, match="as of 2025-01-01: run `make lock-releases`"):
            locks.check(edited, edited.lock)


class TestPackageSources:
    def test_the_environment_wins_over_the_machine_s_files(self) -> None:
        listing = ":env:.find-links='/a /b'\nglobal.find-links='/c'\nglobal.cert='/d'\n"
        assert package_sources.parse(listing) == {"find-links": "/a /b", "cert": "/d"}

    def test_uv_is_told_in_its_own_words(self) -> None:
        settings = {"find-links": "/a /b", "extra-index-url": "file:///c\nfile:///d", "quiet": "1"}
        assert package_sources.translate(settings) == {
            "UV_FIND_LINKS": "/a,/b",
            "UV_INDEX": "file:///c file:///d",
        }


class TestPrograms:
    def test_what_a_program_prints_is_returned_and_its_errors_passed_on(
        self, tmp_path: Path, capfd: pytest.CaptureFixture[str]
    ) -> None:
        command = ["sh", "-c", "pwd; echo $WORD >&2"]
        assert run(command, "no word", tmp_path, {"WORD": "hello"}) == f"{tmp_path}\n"
        assert capfd.readouterr().err == "hello\n"

    def test_a_failure_is_one_line(self) -> None:
        with pytest.raises(Unavailable, match=r"^no word: that was all$"):
            run(["sh", "-c", "echo first; echo that was all >&2; exit 1"], "no word")

    def test_missing_programs_are_named_with_the_way_round(self) -> None:
        require_programs("sh")
        with pytest.raises(Unavailable, match=r"^no-gcc and no-nm .* install what is missing$"):
            require_programs("sh", "no-gcc", "no-nm")


class TestUsefulLine:
    def test_an_error_and_its_first_cause(self) -> None:
        log = "Using Python 3.8\nerror: No solution found\n  cause: Because x\n  cause: and y\n"
        assert useful_line(log) == "No solution found: Because x"

    @pytest.mark.parametrize(
        "log",
        [
            "Reading lists\nE: no such thing\nE: and more\n",
            "In file included from b.c:1:\nc.h:1:2: fatal error: no such thing\n 1 |",
        ],
        ids=["apt", "gcc"],
    )
    def test_the_first_error_of_other_programs(self, log: str) -> None:
        assert useful_line(log) == "no such thing"

    def test_the_last_line_where_nothing_is_called_an_error(self) -> None:
        assert useful_line("Traceback:\n  File\nOSError: disk full\n\n") == "OSError: disk full"


class TestFindingAnInterpreter:
    def test_pyenv_s_newest_patch_release_comes_first(self, pyenv: Path) -> None:
        for version in ("3.9.2", "3.9.18", "3.10.1"):
            fake_python(pyenv / version / "bin" / "python", version)
        fake_python(pyenv.parents[1] / "path" / "python3.9", "3.9.20")
        assert interpreters.find("3.9") == pyenv / "3.9.18" / "bin" / "python"
        assert interpreters.find("3.9.2") == pyenv / "3.9.2" / "bin" / "python"

    def test_a_program_on_path_that_is_no_such_python_is_passed_over(self, pyenv: Path) -> None:
        path = pyenv.parents[1] / "path"
        fake_python(path / "python3.9", "")
        fake_python(path / "python3", "3.12.1")
        right = fake_python(path / "python", "3.9.1")
        assert interpreters.find("3.9") == right

    def test_what_was_looked_for_is_reported(self, pyenv: Path) -> None:
        with pytest.raises(Unavailable, match=r"no Python 3\.5 found in .*versions, on PATH or"):
            interpreters.find("3.5")

    def test_an_interpreter_named_by_the_user_is_taken_as_it_is(self, tmp_path: Path) -> None:
        interpreter = fake_python(tmp_path / "cluster" / "python", "3.7.3")
        assert interpreters.named(str(interpreter)) == interpreter

    @pytest.mark.parametrize("name", ["/nowhere/python", "no-such-python"])
    def test_a_named_interpreter_that_does_not_run_is_reported(self, name: str) -> None:
        with pytest.raises(Unavailable, match=name):
            interpreters.named(name)


class TestInstalledLock:
    def test_an_environment_is_read_from_inside(self) -> None:
        lock = installed.available("host", Path(sys.executable), {"A": "b"})
        assert lock["status"] == "available"
        assert lock["python"] == sys.version.split()[0]
        assert lock["packages"]["numpy"] >= "2"
        assert lock["variables"] == {"A": "b"}

    @pytest.mark.parametrize("name", ["caffe.debian.lock", "web.package-lock.json"])
    def test_a_recipes_own_locks_stand_among_the_packages(self, name: str) -> None:
        environment = name.partition(".")[0]
        paths = recipes.locks(environment, ROOT / "envs")
        lock = installed.available(environment, Path(sys.executable), {}, paths)
        assert file_digest(ROOT / "envs" / name).startswith(lock["packages"][name])

    @pytest.mark.parametrize("version", ["3.6", "3.8", "3.13"])
    def test_the_inventory_runs_on_old_and_new_pythons(self, version: str) -> None:
        executables = list(interpreters.in_pyenv(version))
        if not executables:
            pytest.skip(f"needs Python {version} in {interpreters.pyenv_versions()}")
        answer = subprocess.check_output([executables[0], "-I", installed.INVENTORY])
        assert json.loads(answer)["python"].startswith(version)

    def test_paths_inside_the_working_folder_are_relative(self) -> None:
        assert installed.relative(Path("results/bin/python")) == "results/bin/python"
        assert installed.relative(Path.cwd() / "results/python") == "results/python"
        assert installed.relative(Path("/elsewhere/python")) == "/elsewhere/python"


def test_an_environment_without_uv_to_build_it_is_unavailable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uv, "FOLDER", tmp_path / "bin")
    wanted = read(ROOT / "envs" / "numpy.yaml")
    with pytest.raises(Unavailable, match="there is no uv in"):
        virtual.build(wanted, tmp_path / "numpy")
    assert not list((tmp_path / "numpy").iterdir())
