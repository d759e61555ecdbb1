"""From how a worker ended to a status and one line of reason."""

import json
import signal

import pytest
from recorded import LOGS

from trainmark.runs.events import SCHEMA, Event
from trainmark.runs.outcome import Ending, Outcome, outcome

START: Event = {"event": "start", "time_seconds": 0.0, "python": "3", "pid": 1}
WARM: Event = {"event": "warmup", "time_seconds": 1.0, "steps": 5, "seconds": 1.0}
END: Event = {"event": "end", "time_seconds": 2.0}


def ended(
    exit_code: int | None = 0,
    by: int | None = None,
    events: tuple[Event, ...] = (START,),
    log: str = "",
    oom_kills: int = 0,
) -> Outcome:
    return outcome(Ending(None if by else exit_code, by, list(events), log, oom_kills=oom_kills))


def error(kind: str, message: str) -> Event:
    return {"event": "error", "time_seconds": 1.0, "kind": kind, "message": message}


def test_the_end_event_and_exit_code_0_are_ok() -> None:
    assert ended(events=(START, END)) == ("ok", None)


def test_exit_code_0_without_an_end_event_is_a_failure() -> None:
    assert ended(events=(START, WARM)) == (
        "failed",
        "exit code 0 without an end event: stopped in the timed window",
    )


KINDS = json.loads(SCHEMA.read_text(encoding="utf-8"))["$defs"].keys() - {"error", "parity"}
"""Of the events, those that don't state how the run ended."""


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_crash_after_any_event_has_a_reason(kind: str) -> None:
    status, reason = ended(by=signal.SIGSEGV, events=(START, {"event": kind, "time_seconds": 1.0}))
    assert status == "failed"
    assert "SIGSEGV" in str(reason)


TRACEBACK = """Traceback (most recent call last):
  File "run.py", line 3, in <module>
    step()
ValueError: labels out of range
Exception ignored in: <function Session.__del__>
"""


def test_a_crash_tells_its_exception_not_its_traceback() -> None:
    status, reason = ended(1, log=TRACEBACK)
    assert status == "failed"
    assert reason == "ValueError: labels out of range (exit code 1 in the import of the framework)"


def test_a_crash_without_exception_tells_the_last_line_people_would_read() -> None:
    log = '\x1b[31mF0101 solver.cpp:42 bad\x1b[0m\r\n\n@trainmark {"event": "x"}\n\n'
    status, reason = ended(1, log=log)
    assert (status, str(reason).split(" (")[0]) == ("failed", "F0101 solver.cpp:42 bad")


def test_caffe_short_of_memory_says_so_above_its_stack() -> None:
    log = (LOGS / "caffe_out_of_memory.log").read_text()
    status, reason = ended(by=signal.SIGABRT, log=log)
    assert status == "out_of_memory"
    assert str(reason).startswith("Check failed: *ptr host allocation of size 47185920 failed;")


def test_a_reason_is_one_line_of_bounded_length() -> None:
    reason = ended(1, log=f"RuntimeError: {'x ' * 5000}").reason
    assert reason is not None
    assert "\n" not in reason
    assert len(reason) < 400


@pytest.mark.parametrize(
    "log",
    [
        "MemoryError",
        "numpy.core._exceptions.MemoryError: Unable to allocate 8. GiB",
        "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2 GiB",
        "RuntimeError: [enforce fail] DefaultCPUAllocator: can't allocate memory",
        "tensorflow.errors.ResourceExhaustedError: Graph execution error:\n\nDetected at node x",
        "jaxlib.xla_extension.XlaRuntimeError: RESOURCE_EXHAUSTED: Out of memory",
        "mxnet.base.MXNetError: [10:00] Check failed: cudaMalloc failed: out of memory",
        "F0101 syncedmem.cpp:71] Check failed: error == cudaSuccess (2 vs. 0) out of memory",
    ],
)
def test_the_frameworks_words_for_out_of_memory(log: str) -> None:
    assert ended(1, log=log).status == "out_of_memory"


@pytest.mark.parametrize(
    "log",
    [
        "RuntimeError: CUDA error: no kernel image is available for execution on the device",
        "mxnet.base.MXNetError: [11:41:41] Check failed: err == cudaSuccess (48 vs. 0) : ErrStr:no "
        "kernel image is available for execution on the device\nStack trace:\n  [bt] (0)",
        "F0526 im2col.cu:61] Check failed: error == cudaSuccess (8 vs. 0) invalid device function",
        "RuntimeError: cuDNN failure 6: CUDNN_STATUS_ARCH_MISMATCH",
    ],
)
def test_a_build_without_code_for_this_gpu_does_not_support_it(log: str) -> None:
    status, reason = ended(1, log=log)
    assert status == "unsupported"
    assert str(reason).startswith("built for other GPUs: ")
    assert any(words in str(reason) for words in ("kernel image", "device function", "MISMATCH"))


@pytest.mark.parametrize(
    "log",
    [
        "RuntimeError: The NVIDIA driver on your system is too old (found version 11040).",
        "F0101 common.cpp:152] Check failed: error == cudaSuccess (35 vs. 0) CUDA driver version "
        "is insufficient for CUDA runtime version",
    ],
)
def test_a_driver_older_than_the_build_leaves_it_unavailable(log: str) -> None:
    status, reason = ended(1, log=log)
    assert status == "unavailable"
    assert str(reason).startswith("the GPUs' driver is too old: ")


def test_abort_after_bad_alloc_is_out_of_memory() -> None:
    log = "terminate called after throwing an instance of 'std::bad_alloc'\n"
    assert ended(by=signal.SIGABRT, log=log).status == "out_of_memory"


def test_the_kernels_killer_is_recognised_by_its_counter() -> None:
    assert ended(by=signal.SIGKILL, oom_kills=1).status == "out_of_memory"
    assert ended(by=signal.SIGKILL, oom_kills=0).status == "failed"
    assert ended(137, oom_kills=1).status == "out_of_memory"  # through a shell


def test_a_killed_child_of_the_worker_is_out_of_memory_too() -> None:
    log = "RuntimeError: DataLoader worker (pid 9) is killed by signal: Killed."
    assert ended(1, log=log, oom_kills=1).status == "out_of_memory"
    assert ended(1, log="ValueError: no", oom_kills=1).status == "failed"


def test_a_killed_rank_is_out_of_memory_where_the_kernel_counted_it() -> None:
    message = "RankFailed: rank 1 ended with exit code -9"
    events = START, error("failed", message)
    status, reason = ended(1, events=events, oom_kills=1)
    assert status == "out_of_memory"
    assert reason == f"the kernel killed a process for want of memory; {message}"
    assert ended(1, events=events) == ("failed", message)


def test_signals_have_their_names_and_phase() -> None:
    assert ended(by=signal.SIGSEGV, events=(START, WARM)) == (
        "failed",
        "segmentation fault (SIGSEGV) in the timed window",
    )


def test_a_hang_names_its_phase_and_limit() -> None:
    hung = Ending(None, signal.SIGKILL, [START, WARM], "", timed_out=True, timeout_seconds=60)
    assert outcome(hung) == ("timed_out", "no end after 60 s: hung in the timed window")


@pytest.mark.parametrize(
    ("kind", "message", "expected"),
    [
        ("unsupported", "no cuda here", ("unsupported", "no cuda here")),
        ("out_of_memory", "MemoryError: ", ("out_of_memory", "MemoryError:")),
        ("failed", "RuntimeError: CUDA out of memory", "out_of_memory"),
        (
            "missing_library",
            "ImportError: libopenblas.so.0: cannot open shared object file: No such file",
            ("failed", "missing library: libopenblas.so.0"),
        ),
        (
            "missing_library",
            "ModuleNotFoundError: No module named 'theano'",
            ("failed", "missing library: theano"),
        ),
        ("parity", "loss off by 1e-2", ("failed", "parity: loss off by 1e-2")),
        ("failed", "ValueError: batch", ("failed", "ValueError: batch")),
    ],
)
def test_what_the_worker_says_of_itself(kind: str, message: str, expected: object) -> None:
    outcome = ended(1, events=(START, error(kind, message)), log=TRACEBACK)
    assert expected in (outcome, outcome.status)


def test_a_warning_about_an_optional_library_is_not_the_cause() -> None:
    log = f"W dso_loader.cc: libcudart.so.11: cannot open shared object file\n{TRACEBACK}"
    assert str(ended(1, log=log).reason).startswith("ValueError")


FAILED_PARITY: Event = {
    "event": "parity",
    "time_seconds": 1.0,
    "error": 0.0213,
    "worst_layer": "conv2/weight",
    "passed": False,
}


def test_a_failed_parity_event_is_never_ok() -> None:
    assert ended(events=(START, FAILED_PARITY, END)) == (
        "failed",
        "parity: relative error 0.021, worst in conv2/weight",
    )


def test_one_killed_before_its_second_batch_was_checked_did_not_fail_by_parity() -> None:
    status, reason = ended(by=signal.SIGSEGV, events=(START, FAILED_PARITY))
    assert status == "failed"
    assert "parity: relative error" not in reason


def test_an_exit_code_that_stands_for_no_signal_is_a_failure() -> None:
    status, reason = ended(exit_code=186)
    assert status == "failed"
    assert str(reason).startswith("exit code 186 in ")


def test_a_real_time_signal_is_named_by_its_number() -> None:
    status, reason = ended(by=40)
    assert status == "failed"
    assert "(signal 40)" in str(reason)
