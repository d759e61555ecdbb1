"""The lines that are printed of a run when it starts and when it ends."""

import io

import pytest

from trainmark.runs import lines

OK = {
    "status": "ok",
    "reason": None,
    "disturbed": False,
    "disturbances": [],
    "window": {"start_seconds": 10.0, "end_seconds": 13.04},
}
DISTURBED = {"disturbed": True, "disturbances": ["0.30 cores used by others", "the CPU throttled"]}
FAILED = {"status": "failed", "reason": "exit code 1", "window": None}


def test_a_run_that_starts_is_named_by_its_configuration_and_its_repeat():
    wildcards = "{wildcards.case}/{wildcards.framework}/{wildcards.device}/{wildcards.precision}"
    last = "{wildcards.stage}-{wildcards.input_mode}, repeat {wildcards.repeat} of 3"
    assert lines.start({3}) == f"Measure {wildcards}/{last}"
    assert lines.start({3, 5}).endswith("repeat {wildcards.repeat}")


@pytest.mark.parametrize(
    ("record", "main_value", "line"),
    [
        (OK, ("training_speed", 5012.34), "ok: 5,012.3 images/s over 3.0 s"),
        (OK, None, "ok: no value over 3.0 s"),
        (
            OK | DISTURBED,
            ("training_speed", 5.0),
            "ok: 5.0 images/s over 3.0 s; disturbed: 0.30 cores used by others, the CPU throttled",
        ),
        (OK | FAILED, None, "failed: exit code 1"),
        (
            OK | FAILED | DISTURBED,
            None,
            "failed: exit code 1; disturbed: 0.30 cores used by others, the CPU throttled",
        ),
    ],
)
def test_a_result_has_status_main_value_window_and_disturbances(record, main_value, line):
    assert lines.result(record, main_value) == line


def test_the_last_line_of_a_jobs_log_is_printed_when_the_run_has_ended(tmp_path):
    log = io.StringIO()
    lines.write("waiting for a quiet machine", log)
    lines.write("failed: exit code 1", log)
    (tmp_path / "run.log").write_text(log.getvalue())
    record = "results/study/runs/case/numpy/cpu/float32/train-cached/r2/run.json"
    line = lines.end(record, str(tmp_path / "run.log"), "2 of 3 runs done")
    assert line == "case/numpy/cpu/float32/train-cached/r2: failed: exit code 1 (2 of 3 runs done)"
