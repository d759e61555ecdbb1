"""A page in a Chromium without a window, driven by the browser's own DevTools protocol.

Source: https://chromedevtools.github.io/devtools-protocol/ (Page.navigate, Runtime.evaluate).
"""

import atexit
import json
import os
import subprocess
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Any, Dict

import websocket

from worker import events

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
ANSWER_SECONDS = 600


class ScriptError(Exception):
    """What failed in the page, in its own words."""


class Page:
    """A browser with one page, which ends with this process."""

    def __init__(self, program: str, address: str) -> None:
        self.profile = tempfile.TemporaryDirectory()
        self.switches = [*SWITCHES, *([AS_ROOT] if os.geteuid() == 0 else [])]
        command = [program, *self.switches, "--user-data-dir=" + self.profile.name, "about:blank"]
        try:
            self.process = subprocess.Popen(command)  # what it complains of goes to the run's log
        except OSError as error:
            raise events.Unsupported(f"no browser: {program}: {error.strerror}") from error
        host = self._host(program)
        self.version = str(_ask(host, "version")["Browser"])
        [found] = [each for each in _ask(host, "list") if each["type"] == "page"]
        self.socket = websocket.create_connection(
            found["webSocketDebuggerUrl"], timeout=ANSWER_SECONDS, suppress_origin=True
        )
        self.sent = 0
        self._send("Page.navigate", url=address)
        while self.call("document.readyState == 'complete' && location.href") != address:
            time.sleep(0.01)
        atexit.register(self.close)

    def call(self, expression: str) -> Any:
        """The value of a JavaScript expression, or what a promise of it becomes.

        Raises ScriptError with what the page says where it fails.
        """
        answer = self._send(
            "Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True
        )
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            told = details.get("exception", {}).get("description", details["text"])
            raise ScriptError(told.splitlines()[0])
        return answer["result"].get("value")

    def close(self) -> None:
        """End the browser and all that it started, and remove what it stored."""
        self.socket.close()
        self.process.terminate()
        self.process.wait()
        self.profile.cleanup()

    def _host(self, program: str) -> str:
        """Where the browser listens, once it does: it writes that into its profile."""
        told = Path(self.profile.name, "DevToolsActivePort")
        while not told.exists() or "\n" not in told.read_text():
            if self.process.poll() is not None:
                raise events.Unsupported(
                    f"no browser: {program} ended with status {self.process.returncode}"
                )
            time.sleep(0.01)
        return "127.0.0.1:" + told.read_text().splitlines()[0]

    def _send(self, method: str, **parameters: Any) -> Dict[str, Any]:
        """Ask the page and wait for its answer; what else it tells is not asked for."""
        self.sent += 1
        self.socket.send(json.dumps(dict(id=self.sent, method=method, params=parameters)))
        while True:
            answer = json.loads(self.socket.recv())
            if answer.get("id") == self.sent:
                result: Dict[str, Any] = answer["result"]
                return result


def _ask(host: str, what: str) -> Any:
    with urllib.request.urlopen(f"http://{host}/json/{what}") as answer:
        return json.load(answer)
