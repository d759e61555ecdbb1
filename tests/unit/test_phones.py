"""Results of phones beside what was measured here with a study's models.

The logs are of real runs, as people published them, shortened: of TensorFlow 2.4 on Android, of a
later version on an emulated board, and of one through Android's own log. Paths, sizes and numbers
of calls are ours.
"""

import pandas as pd
import pytest
from examples import LENET_RUN

from trainmark.analyse.csv.measurements import COLUMNS
from trainmark.report.compare import phones
from trainmark.runs.logs.phone import benchmarks

OLD = """\
STARTING!
Num threads: [4]
Graph: [/data/local/tmp/old.tflite]
The input model file size (MB): 1.72633
count=50 first=249042 curr=250889 min=247067 max=254474 avg=249684 std=1442
Inference timings in us: Init: 16242, First inference: 360262, Warmup (avg): 304586, \
Inference (avg): 249684
Peak memory footprint (MB): init=4.92969 overall=138.809
"""
NEW = """\
STARTING!
Log parameter values verbosely: [0]
Graph: [./new.tflite]
Use gpu: [1]
Loaded model ./new.tflite
The input model file size (MB): 0.441952
Initialized session in 17.187ms.
count=1 curr=3512391
count=40 first=2990275 curr=2913402 min=2727568 max=3189954 avg=2.95034e+06 std=109798
Inference timings in us: Init: 17187, First inference: 3512391, Warmup (avg): 3.51239e+06, \
Inference (avg): 2.95034e+06
Memory footprint delta from the start of the tool (MB): init=4.21094 overall=46.0859
"""
ANDROID = "".join(
    f"07-14 13:23:15.443 25289 25289 I tflite  : {line}\n" for line in NEW.splitlines()
)


def model(framework, **values):
    """Measurements of one run of a model."""
    shared = {name: LENET_RUN.get(name) for name in COLUMNS}
    shared |= {"framework": framework, "adapter": framework, "stage": "infer", "status": "ok"}
    settings = ("case", "precision", "thread_count", "machine_name")
    shared |= {name: values.pop(name) for name in settings if name in values}
    return [{**shared, "metric": name, "value": value} for name, value in values.items()]


FLOAT32 = model("litert", file_size=1.726332, load_time=0.4, latency_first=0.1, latency_mean=0.05)
INT8 = model("litert", precision="int8-dynamic", file_size=0.441952)
SIMILAR = model("tensorflow_lite", file_size=1.726331)
WEB = model("litert_js", file_size=1.726332)


def measured(*models):
    rows = [row for each in models for row in each]
    return pd.DataFrame(rows, columns=list(COLUMNS))


@pytest.fixture
def beside(tmp_path):
    """The table of a phone's log and of measurements."""

    def made(log, *models):
        path = tmp_path / "phone.log"
        path.write_text(log)
        return phones.rows(measured(*models), {"Pixel 7": path})

    return made


def test_a_log_tells_of_its_models_one_after_the_other():
    path = "/data/local/tmp/old.tflite"
    first, second = benchmarks(OLD + NEW)
    assert first == (path, "1.72633", 4, "", 16.242, 360.262, 249.684, 138.809)
    assert second[:4] == ("./new.tflite", "0.441952", None, "gpu")
    assert second.mean_ms == 2950.34


def test_what_android_writes_before_each_line_changes_nothing():
    assert benchmarks(ANDROID) == benchmarks(NEW)


def test_a_model_whose_benchmark_was_broken_off_is_none():
    broken = NEW.partition("Inference timings")[0]
    (benchmark,) = benchmarks(broken + OLD)
    assert benchmark == benchmarks(OLD)[0]


def test_a_model_is_recognised_by_the_size_of_its_file(beside):
    table = beside(OLD, FLOAT32, INT8, WEB)
    assert table["place"].tolist() == ["this PC", "Pixel 7"]
    assert table["precision"].tolist() == ["float32", "float32"]
    assert table["load_time"].tolist() == [0.4, 16.242]
    assert table["latency_mean"].tolist() == [0.05, 249.684]


def test_each_machine_of_a_study_has_a_row_of_its_own(beside):
    values = dict(file_size=1.726332, latency_mean=0.05)
    laptop = model("litert", machine_name="laptop", **values)
    server = model("litert", machine_name="server", **{**values, "latency_mean": 0.01})
    table = beside(OLD, laptop, server)
    assert table["place"].tolist() == ["laptop", "server", "Pixel 7"]
    assert table["latency_mean"].tolist() == [0.05, 0.01, 249.684]


def test_the_table_names_the_phone_and_what_computed(beside):
    shown = phones.table(beside(OLD + NEW, FLOAT32, INT8)).shown
    assert shown["place"].tolist() == ["this PC", "Pixel 7", "this PC", "Pixel 7 gpu"]
    assert shown["MiB"].tolist() == ["-", "139", "-", "46"]


def test_threads_are_shown_by_their_number_on_phones_and_here(beside):
    """Also where the study's were all of a machine, or it varied them."""
    every = model("litert", file_size=1.726332, threads=2, thread_count="all")
    one = model("litert", file_size=1.726332, threads=1, thread_count="1")
    shown = phones.table(beside(OLD + NEW, [*one, *every], INT8)).shown
    assert shown["place"].tolist() == ["this PC", "this PC", "Pixel 7", "this PC", "Pixel 7 gpu"]
    assert shown["threads"].tolist() == ["1", "2", "4", "-", "-"]


@pytest.mark.parametrize(
    ("log", "models", "message"),
    [
        (
            "STARTING!\n",
            [FLOAT32],
            "has no line of benchmark_model's timings; give all that benchmark_model prints",
        ),
        (
            NEW,
            [FLOAT32],
            "new.tflite has 0.441952 MB; of the models of this study that is none; "
            "benchmark the model/model.tflite that a run of this study wrote",
        ),
        (
            OLD,
            [FLOAT32, model("tensorflow_lite", file_size=1.726331)],
            "that is several: test/litert.*; take this model out of the log, or all but one of",
        ),
        (OLD.replace("The input model", "A"), [FLOAT32], "doesn't say the size of .*; give all "),
    ],
)
def test_a_log_that_fits_no_model_is_refused_in_a_line(beside, log, models, message):
    with pytest.raises(phones.NoSuchModel, match=message):
        beside(log, *models)
