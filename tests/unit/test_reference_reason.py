"""Why there is no reference: in words of its log, or by the signal that ended its process."""

import signal

import pytest

import reference


@pytest.mark.parametrize(
    ("printed", "status", "reason"),
    [
        ("Traceback\nValueError: too large\n", 1, "ValueError: too large"),
        ("", -signal.SIGKILL, "killed (SIGKILL), probably by the kernel for want of memory"),
        ("", -signal.SIGSEGV, "SIGSEGV"),
        ("", 3, "the log says nothing"),
    ],
)
def test_the_reason_is_the_last_that_is_known(tmp_path, printed, status, reason):
    log = tmp_path / "reference.log"
    log.write_text(printed)
    assert reference.reason(log, status) == reason
