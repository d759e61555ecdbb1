"""A page in a Chromium without a window, driven by the browser's own DevTools protocol.

Source: https://chromedevtools.github.io/devtools-protocol/ (Page.navigate, Runtime.evaluate,
SystemInfo.getProcessInfo); of memory, proc_pid_status(5).
"""

import atexit
import os
import re
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

from worker import events
from worker.browser.devtools import Connection, about

SWITCHES = (
    "--headless",
    "--remote-debugging-port=0",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-extensions",
    "--disable-sync",
    # What isn't seen would be slowed down.
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    # The small /dev/shm of a container would end it.
    "--disable-dev-shm-usage",
    # Nothing but this machine is ever asked for.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)
AS_ROOT = "--no-sandbox"  # without it, Chromium refuses to run as root
START_SECONDS = 60
PEAK = re.compile(r"^VmHWM:\s+(\d+) kB", re.MULTILINE)


class ScriptError(Exception):
    """What failed in the page, in its own words."""


class Page:
    """A browser with one page, which ends with this process.

    version: the browser's name and version, as it says itself; empty_bytes: the peak_bytes() of the
    page as it was opened.
    """

    def __init__(self, program: str, address: str) -> None:
        """Open the page; raises Unsupported where the browser doesn't start or can't open it."""
        self.profile = tempfile.TemporaryDirectory()
        self.switches = [*SWITCHES, *([AS_ROOT] if os.geteuid() == 0 else [])]
        command = [program, *self.switches, "--user-data-dir=" + self.profile.name, "about:blank"]
        try:
            self.process = subprocess.Popen(command)  # what it complains of goes to the run's log
        except OSError as error:
            raise _no_browser(program, str(error.strerror)) from error
        atexit.register(self._end)
        host = self._host(program)
        version = about(host, "version")
        self.version = str(version["Browser"])
        self.browser = Connection(version["webSocketDebuggerUrl"])
        [found] = [each for each in about(host, "list") if each["type"] == "page"]
        self.page = Connection(found["webSocketDebuggerUrl"])
        gone = self.page.ask("Page.navigate", url=address)
        if "errorText" in gone:
            raise _no_browser(program, f"it can't open {address}: {gone['errorText']}")
        while self.call("document.readyState == 'complete' && location.href") != address:
            time.sleep(0.01)
        self.empty_bytes = self.peak_bytes()

    def call(self, expression: str) -> Any:
        """The value of a JavaScript expression, or what a promise of it becomes.

        Raises ScriptError with what the page says where it fails.
        """
        answer = self.page.ask(
            "Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True
        )
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            told = details.get("exception", {}).get("description", details["text"])
            raise ScriptError(told.splitlines()[0])
        return answer["result"].get("value")

    def peak_bytes(self) -> int:
        """The highest resident memory, so far, of the process that renders the page."""
        processes = self.browser.ask("SystemInfo.getProcessInfo")["processInfo"]
        peaks = [_peak_bytes(each["id"]) for each in processes if each["type"] == "renderer"]
        return max(peaks)  # another one waits, empty, for a next page

    def close(self) -> None:
        """End the browser and all that it started, and remove what it stored."""
        self.page.close()
        self.browser.close()
        atexit.unregister(self._end)
        self._end()

    def _end(self) -> None:
        self.process.terminate()
        self.process.wait()
        self.profile.cleanup()

    def _host(self, program: str) -> str:
        """Where the browser listens, once it does: it writes that into its profile."""
        told = Path(self.profile.name, "DevToolsActivePort")
        latest = time.monotonic() + START_SECONDS
        while not told.exists() or "\n" not in told.read_text():
            if self.process.poll() is not None:
                raise _no_browser(program, f"it ended with status {self.process.returncode}")
            if time.monotonic() > latest:
                raise _no_browser(program, f"it doesn't listen after {START_SECONDS} s")
            time.sleep(0.01)
        return "127.0.0.1:" + told.read_text().splitlines()[0]


def _peak_bytes(pid: int) -> int:
    """The highest resident memory of a process so far; none of one that has ended."""
    try:
        found = PEAK.search(Path(f"/proc/{pid}/status").read_text())
    except OSError:
        return 0
    return 1024 * int(found.group(1)) if found else 0


def _no_browser(program: str, why: str) -> events.Unsupported:
    return events.Unsupported(
        f"no browser: {program}: {why}; name a Chromium that runs here under machine: browser, "
        "delete the folder of this run and give the same command again"
    )
