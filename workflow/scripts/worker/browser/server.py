"""The server of the page: it serves files and images, and receives logits.

Only this machine can reach the server. Its headers isolate the page from all other pages; so the
page gets threads, and a clock with a resolution of 5 microseconds instead of 100.
Source: https://developer.mozilla.org/docs/Web/API/Window/crossOriginIsolated.
"""

import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Dict

HEADERS = {
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
    "Cache-Control": "no-store",
}
TYPES = {".html": "text/html", ".js": "text/javascript", ".mjs": "text/javascript"}
TYPES[".wasm"] = "application/wasm"
IMAGES = "/images"


class Server:
    """A server in a thread of its own.

    folders: the folder of files, by the first part of their address; images: the bytes that the
    page gets next; logits: the bytes that the page sent last.
    """

    def __init__(self, folders: Dict[str, Path]) -> None:
        self.folders = folders
        self.images = self.logits = b""
        handler: Any = partial(_Handler, served=self)
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def address(self) -> str:
        """The address of the server."""
        return f"http://127.0.0.1:{self.server.server_port}"


class _Handler(SimpleHTTPRequestHandler):
    def __init__(self, *arguments: Any, served: Server, **named: Any) -> None:
        self.served = served
        super().__init__(*arguments, **named)

    def do_GET(self) -> None:
        if self.path == IMAGES:
            self._answer(self.served.images)
        else:
            super().do_GET()

    def do_POST(self) -> None:
        self.served.logits = self.rfile.read(int(self.headers["Content-Length"]))
        self._answer(b"")

    def guess_type(self, path: Any) -> str:
        return TYPES.get(Path(path).suffix) or super().guess_type(path)

    def translate_path(self, path: str) -> str:
        first, _, rest = path.lstrip("/").partition("/")
        self.directory = str(self.served.folders.get(first, "/nowhere"))
        return super().translate_path(rest)  # it drops "..", so no path leaves the folder

    def list_directory(self, path: Any) -> None:
        self.send_error(404)

    def end_headers(self) -> None:
        for name, value in HEADERS.items():
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, *arguments: Any) -> None:
        """Write nothing: standard error belongs to the run's log."""

    def _answer(self, content: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)
