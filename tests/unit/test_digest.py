"""The digests of code: the files that they cover, and those that they do not."""

import shutil

import pytest

from trainmark.study import digest, plugins


@pytest.fixture
def scripts(tmp_path, monkeypatch):
    """A copy of the scripts and their libraries, in which files can be changed."""
    copied = tmp_path / "scripts"
    shutil.copytree(plugins.SCRIPTS, copied, ignore=shutil.ignore_patterns("__pycache__"))
    moved = {kind: copied / path.relative_to(plugins.SCRIPTS) for kind, path in FOLDERS.items()}
    monkeypatch.setattr(plugins, "SCRIPTS", copied)
    monkeypatch.setattr(plugins, "FOLDERS", moved)
    yield copied
    forget()


FOLDERS = dict(plugins.FOLDERS)


def forget():
    """As a new process begins."""
    for function in (*vars(digest).values(), *vars(plugins).values()):
        if hasattr(function, "cache_clear"):
            function.cache_clear()


def of_run(**changes):
    forget()
    settings = {"adapter": "numpy", "device": "cpu", "network": "lenet", "stage": "train"}
    return digest.of_run(**{**settings, **changes})


def edit(path, line="EDITED = 1"):
    with path.open("a") as file:
        file.write(f"\n{line}\n")


@pytest.mark.parametrize(
    "name",
    [
        "run.py",
        "job.py",
        "stages/train.py",
        "proof/compare.py",
        "proof/in_float32.py",
        "input/readers/lmdb.py",
        "networks/__init__.py",
        "networks/lenet.py",
        "frameworks/numpy/adapter.py",
        "frameworks/numpy/layers.py",
    ],
)
def test_an_edited_file_that_a_run_executes_changes_its_digest(scripts, name):
    before = of_run()
    edit(scripts / "worker" / name)
    assert of_run() != before


@pytest.mark.parametrize(
    "name",
    [
        "worker/networks/resnet50.py",
        "worker/frameworks/jax/adapter.py",
        "worker/networks/neutral/channels_last.py",
        "trainmark/analyse/csv/measurements.py",
    ],
)
def test_a_file_of_other_runs_does_not(scripts, name):
    before = of_run()
    (scripts / name).write_text("")
    assert of_run() == before


def test_a_stage_that_a_run_does_not_use_is_no_part_of_it(scripts):
    before = of_run()
    other = scripts / "worker" / "stages" / "other.py"
    shutil.copy(other.with_name("train.py"), other)
    edit(other)
    assert of_run() == before
    assert of_run(stage="other") != before


def test_how_several_devices_train_is_part_of_the_runs_on_several(scripts):
    alone, together = of_run(adapter="pytorch"), of_run(adapter="pytorch", device="cuda:2")
    edit(scripts / "worker/frameworks/pytorch/devices.py")
    assert of_run(adapter="pytorch") == alone
    assert of_run(adapter="pytorch", device="cuda:2") != together


def test_how_several_nodes_train_is_part_of_the_runs_on_several(scripts):
    one, two = (of_run(adapter="jax", device=device) for device in ("cuda:2", "cuda:2x1"))
    edit(scripts / "worker/frameworks/jax/nodes.py")
    assert of_run(adapter="jax", device="cuda:2") == one
    assert of_run(adapter="jax", device="cuda:2x1") != two


def test_touching_a_file_changes_nothing(scripts):
    before = of_run()
    (scripts / "worker" / "run.py").touch()
    assert of_run() == before


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("frameworks/numpy/adapter.py", 'COLOUR = "#717581"', 'COLOUR = "#000000"'),
        ("frameworks/numpy/adapter.py", 'TITLE = "NumPy (reference)"', 'TITLE = "NumPy"'),
        ("networks/lenet.py", "LeCun et al. 1998", "LeCun, Bottou et al. 1998"),
        ("networks/lenet.py", '"""LeNet', '"""The LeNet'),
        ("run.py", "import faulthandler\n", "# For crashes.\n\nimport faulthandler  # of C code\n"),
    ],
)
def test_what_is_for_readers_alone_changes_no_digest(scripts, name, old, new):
    before, path = of_run(), scripts / "worker" / name
    text = path.read_text()
    assert text.count(old) >= 1
    path.write_text(text.replace(old, new, 1))
    assert of_run() == before


def test_a_constant_of_such_a_name_counts_where_it_is_no_fact_of_a_plugin(scripts):
    before = of_run(stage="attack", attacks=("fgsm",))
    path = scripts / "worker" / "attacks" / "harness" / "unit_range.py"
    path.write_text(path.read_text().replace("HIGHEST = 255", "HIGHEST = 256"))
    assert of_run(stage="attack", attacks=("fgsm",)) != before


def test_a_string_that_is_no_docstring_counts(scripts):
    before, path = of_run(), scripts / "worker" / "frameworks" / "numpy" / "adapter.py"
    path.write_text(path.read_text().replace('FORMAT = "lmdb"', 'FORMAT = "recordio"'))
    assert of_run() != before


def test_a_reference_depends_on_its_network_and_not_on_the_runner(scripts):
    before = digest.of_reference("lenet", "train")
    assert before != digest.of_reference("resnet50", "train")
    for name, unchanged in (("run.py", True), ("frameworks/numpy/layers.py", False)):
        edit(scripts / "worker" / name)
        forget()
        assert (digest.of_reference("lenet", "train") == before) is unchanged


def test_a_conversion_depends_on_its_format_and_its_data_set():
    of = digest.of_conversion
    assert len({of(d, f) for d in ("digits", "mnist") for f in ("lmdb", "recordio")}) == 4
    assert of("mnist", "lmdb") != of("synthetic-mnist", "lmdb")
    assert (
        len({of(f"mnist{variants}", "lmdb") for variants in ("", "-32x32", "-first9-32x32")}) == 3
    )


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("convert.py", True),
        ("write/encoded.py", True),
        ("read/images.py", True),
        ("write/resumable.py", True),
        ("read/class_folders.py", True),
        ("formats/lmdb.py", True),
        ("datasets/folder.py", True),
        ("datasets/imagenet.py", False),
        ("formats/tfrecord.py", False),
        ("read/devkit.py", False),
        ("obtain/transfer.py", False),
    ],
)
def test_a_conversion_depends_on_what_it_executes(scripts, name, changes):
    before = conversion_digest()
    edit(scripts / "trainmark" / "data" / name)
    assert (conversion_digest() != before) is changes


@pytest.mark.parametrize(
    ("name", "changes"), [("padded.py", True), ("first.py", True), ("yuv.py", False)]
)
def test_a_variant_depends_on_what_makes_it(scripts, name, changes):
    before = conversion_digest("mnist-first50000-32x32")
    edit(scripts / "trainmark" / "data" / "variants" / name)
    assert (conversion_digest("mnist-first50000-32x32") != before) is changes


def conversion_digest(dataset="folder-flowers-3x24x24-3"):
    forget()
    return digest.of_conversion(dataset, "lmdb")


CSV = "trainmark/analyse/csv/{}.py"
METRIC = "trainmark/analyse/run/metrics/speed.py"


@pytest.mark.parametrize(
    ("name", "old", "new", "measures_again", "draws_again"),
    [
        (METRIC, 'title="Training speed"', 'title="Speed"', False, True),
        (METRIC, '"{:,.1f}"', '"{:,.2f}"', False, True),
        (METRIC, 'unit="images/s"', 'unit="1/s"', True, True),
        (METRIC, '"""Images of stage infer', '"""Images in stage infer', False, False),
        ("worker/frameworks/jax/adapter.py", 'COLOUR = "#832db6"', 'COLOUR = "#0"', False, True),
        ("trainmark/report/draw/saving.py", "PER_INCH = 200", "PER_INCH = 2", False, True),
        (CSV.format("measurements"), "return rows.read(", "return 2, rows.read(", True, True),
        (CSV.format("losses"), "MOST_SPANS = 50", "MOST_SPANS = 5", True, False),
        ("figure.py", "    data = plugin", "    EDITED = 1\n    data = plugin", False, True),
        ("trainmark/report/tables/pairs.py", 'TITLE = "Pairs"', 'TITLE = "Two"', False, False),
    ],
)
def test_a_figure_depends_on_all_that_it_shows(
    scripts, name, old, new, measures_again, draws_again
):
    before = result_digests()
    text = (scripts / name).read_text()
    assert old in text
    (scripts / name).write_text(text.replace(old, new, 1))
    measured, drawn = (now != then for now, then in zip(result_digests(), before, strict=True))
    assert (measured, drawn) == (measures_again, draws_again)


def result_digests():
    forget()
    figure = digest.of_report("figure", "figure", "training_speed")
    return digest.of_script("measurements", "metric", "csv"), figure


@pytest.mark.parametrize(
    ("name", "draws_again"),
    [
        ("published.py", True),
        ("trainmark/report/published/thesis.py", True),
        ("trainmark/analyse/published/values.py", True),
        ("trainmark/report/charts/grouped.py", True),
        ("trainmark/report/published/other.py", False),
        ("trainmark/report/figures/metrics.py", False),
    ],
)
def test_a_published_study_depends_on_its_own_file_and_on_no_other_studys(
    scripts, name, draws_again
):
    published = scripts / "trainmark" / "report" / "published"
    shutil.copy(published / "thesis.py", published / "other.py")
    before = published_digest()
    edit(scripts / name)
    assert (published_digest() != before) is draws_again


def published_digest():
    forget()
    return digest.of_report("published", "published study", "thesis")
