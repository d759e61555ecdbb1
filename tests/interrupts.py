"""Processes of tests that Ctrl-C ends, as it ends a user's."""

import signal


def can_be_interrupted() -> None:
    """Called in a new process: tests started in the background would hand on SIGINT as ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
