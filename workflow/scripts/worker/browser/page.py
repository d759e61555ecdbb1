"""A page in a Chromium without a window, driven by the browser's own DevTools protocol.

Source: https://chromedevtools.github.io/devtools-protocol/ (Page.navigate, Runtime.evaluate,
SystemInfo.getProcessInfo); memory: proc_pid_status(5).
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
    # Without these, Chromium slows down pages that aren't visible.
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    # Without this, Chromium crashes in a container whose /dev/shm is small.
    "--disable-dev-shm-usage",
    # Chromium contacts no other host than this machine.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)
AS_ROOT = "--no-sandbox"  # without it, Chromium refuses to run as root
START_SECONDS = 60
PEAK = re.compile(r"^VmHWM:\s+(\d+) kB", re.MULTILINE)


class ScriptError(Exception):
    """A script in the page failed; the message is the script's."""


class Page:
    """A browser with one page; the browser ends with this process.

    version: the browser's name and version, as it reports them; empty_bytes: peak_bytes() when the
    page had just been opened.
    """

    def __init__(self, program: str, address: str) -> None:
        """Open the page; raises Unsupported if the browser doesn't start or can't open the page."""
        self.profile = tempfile.TemporaryDirectory()
        self.switches = [*SWITCHES, *([AS_ROOT] if os.geteuid() == 0 else [])]
        command = [program, *self.switches, "--user-data-dir=" + self.profile.name, "about:blank"]
        try:
            self.process = subprocess.Popen(command)  # its messages go to the run's log
        except OSError as error:
            raise _no_browser(program, str(error.strerror)) from error
        atexit.register(self._end)
        host = self._host(program)
        version = about(host, "version")
        self.version = str(version["Browser"])
        self.browser = Connection(version["webSocketDebuggerUrl"])
        [page] = [target for target in about(host, "list") if target["type"] == "page"]
        self.page = Connection(page["webSocketDebuggerUrl"])
        navigation = self.page.request("Page.navigate", url=address)
        if "errorText" in navigation:
            raise _no_browser(program, f"it can't open {address}: {navigation['errorText']}")
        while self.call("document.readyState == 'complete' && location.href") != address:
            time.sleep(0.01)
        self.empty_bytes = self.peak_bytes()

    def call(self, expression: str) -> Any:
        """The value of a JavaScript expression; a promise is waited for.

        Raises ScriptError with the page's message if the expression fails.
        """
        answer = self.page.request(
            "Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True
        )
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            message = details.get("exception", {}).get("description", details["text"])
            raise ScriptError(message.splitlines()[0])
        return answer["result"].get("value")

    def peak_bytes(self) -> int:
        """The highest resident memory, so far, of the process that renders the page."""
        processes = self.browser.request("SystemInfo.getProcessInfo")["processInfo"]
        peaks = [_peak_bytes(each["id"]) for each in processes if each["type"] == "renderer"]
        return max(peaks)  # Chromium keeps a second, empty renderer for a next page

    def close(self) -> None:
        """End the browser with all its processes, and remove its profile."""
        self.page.close()
        self.browser.close()
        atexit.unregister(self._end)
        self._end()

    def _end(self) -> None:
        self.process.terminate()
        self.process.wait()
        self.profile.cleanup()

    def _host(self, program: str) -> str:
        """Wait until the browser has written its address into its profile; return the address."""
        path = Path(self.profile.name, "DevToolsActivePort")
        deadline = time.monotonic() + START_SECONDS
        while not path.exists() or "\n" not in path.read_text():
            if self.process.poll() is not None:
                raise _no_browser(program, f"it ended with status {self.process.returncode}")
            if time.monotonic() > deadline:
                raise _no_browser(program, f"it doesn't listen after {START_SECONDS} s")
            time.sleep(0.01)
        return "127.0.0.1:" + path.read_text().splitlines()[0]


def _peak_bytes(pid: int) -> int:
    """The highest resident memory of a process so far; 0 for a process that has ended."""
    try:
        match = PEAK.search(Path(f"/proc/{pid}/status").read_text())
    except OSError:
        return 0
    return 1024 * int(match.group(1)) if match else 0


def _no_browser(program: str, why: str) -> events.Unsupported:
    return events.Unsupported(
        f"no browser: {program}: {why}; name a Chromium that runs here under machine: browser, "
        "delete the folder of this run and give the same command again"
    )
