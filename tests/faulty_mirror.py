"""A web server of one file, with the faults that servers have."""

import hashlib
import random
import threading
import time
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from trainmark.data.obtain.checked_file import SourceFile
from trainmark.data.obtain.transfer import Retries

CONTENT = random.Random(1).randbytes(400_000)
FILE = SourceFile(
    name="images.gz",
    bytes=len(CONTENT),
    sha256=hashlib.sha256(CONTENT).hexdigest(),
    urls=(),
    members={},
)
RETRIES = Retries(attempts=3, pause_seconds=0.001, silence_seconds=0.2)


class Mirror(ThreadingHTTPServer):
    """Serves one file under any name; `faults` are what goes wrong with the next requests."""

    daemon_threads = False  # so that closing waits for them and no later test hears of them

    def __init__(self, content: bytes = CONTENT, faults: tuple[str | int, ...] = ()) -> None:
        super().__init__(("127.0.0.1", 0), MirrorHandler)
        self.content = content
        self.faults = list(faults)
        self.ranges: list[str | None] = []
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()

    def handle_error(self, *_: object) -> None:
        """Say nothing of clients that hang up on a fault."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/{FILE.name}"


class MirrorHandler(BaseHTTPRequestHandler):
    server: Mirror

    def do_GET(self) -> None:
        requested_range = self.headers["Range"]
        self.server.ranges.append(requested_range)
        fault = self.server.faults.pop(0) if self.server.faults else None
        if isinstance(fault, int):
            self.send_error(fault)
            return
        if fault == "silence":
            time.sleep(2 * RETRIES.silence_seconds)
        if fault == "endless header":
            self.write_slowly(b"HTTP/1.1 200 OK\r\nX-Header: " + b"-" * 100)
            return
        if fault == "circle":
            self.send_response(302)
            self.send_header("Location", self.path)
            self.end_headers()
            return
        start = 0 if requested_range is None or fault == "no ranges" else int(requested_range[6:-1])
        if fault == "another part":
            start = 10
        body = self.server.content[start:]
        self.send_response(206 if start else 200)
        if fault == "endless":
            body += self.server.content
        else:
            self.send_header("Content-Length", str(len(body)))
        if start:
            size = len(self.server.content)
            self.send_header("Content-Range", f"bytes {start}-{size - 1}/{size}")
        self.end_headers()
        if fault == "byte by byte":
            self.write_slowly(body)
        else:
            self.wfile.write(body[: len(body) // 2] if fault == "break" else body)

    def write_slowly(self, body: bytes) -> None:
        """Send a byte, and wait, until the client hangs up."""
        with suppress(ConnectionError):
            for byte in body:
                self.wfile.write(bytes([byte]))
                time.sleep(RETRIES.silence_seconds / 10)

    def log_message(self, *_: object) -> None:
        """Keep the tests' output clean."""
