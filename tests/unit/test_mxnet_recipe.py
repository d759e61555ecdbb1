"""Where MXNet finds libraries that other packages bring."""

from pathlib import Path

from trainmark.environments import recipes


def build(folder: Path) -> dict[str, str]:
    recipe = recipes.find("mxnet-cuda")
    assert recipe is not None
    return recipe.build(folder / "bin/python", folder, folder)


def test_the_folders_of_pips_nvidia_packages_are_searched(tmp_path: Path) -> None:
    nvidia = tmp_path / "lib/python3.8/site-packages/nvidia"
    libraries = [nvidia / name / "lib" for name in ("cublas", "cudnn")]
    for folder in libraries:
        folder.mkdir(parents=True)
    assert build(tmp_path) == {"LD_LIBRARY_PATH": ":".join(map(str, libraries))}


def test_the_build_for_cpus_needs_no_variable(tmp_path: Path) -> None:
    assert build(tmp_path) == {}


def test_a_recipe_serves_all_builds_of_a_framework() -> None:
    assert recipes.find("cntk-cuda") is recipes.find("cntk")
    assert recipes.find("jax-cuda") is None
    assert recipes.find("cntk-mine") is None


def test_an_environment_that_was_made_otherwise_has_the_variables_all_the_same(
    tmp_path: Path,
) -> None:
    library = tmp_path / "lib/python3.8/site-packages/nvidia/cudnn/lib"
    library.mkdir(parents=True)
    assert recipes.variables("mxnet-cuda", tmp_path) == {"LD_LIBRARY_PATH": str(library)}
    assert recipes.variables("cntk-cuda", tmp_path) == {}


def test_a_release_finds_the_libgfortran_of_numpys_wheel(tmp_path: Path) -> None:
    libraries = tmp_path / "lib/python3.6/site-packages/numpy/.libs"
    libraries.mkdir(parents=True)
    (libraries / "libgfortran-ed201abd.so.3.0.0").touch()
    recipe = recipes.find("mxnet-mkl-1.0.0")
    assert recipe is recipes.find("mxnet")
    variables = recipe.build(tmp_path / "bin/python", tmp_path, tmp_path)
    assert variables == {"LD_LIBRARY_PATH": str(libraries)}
    assert (libraries / "libgfortran.so.3").exists()
