"""A connection to a browser, or to one of its pages, by the DevTools protocol.

Source: https://chromedevtools.github.io/devtools-protocol/.
"""

import json
import urllib.request
from typing import Any, Dict

import websocket


class RefusedError(Exception):
    """A browser refused a request; its message."""


class Connection:
    """One connection; each request is answered before the next one is sent."""

    def __init__(self, address: str) -> None:
        self.socket = websocket.create_connection(address, suppress_origin=True)
        self.count = 0

    def request(self, method: str, **parameters: Any) -> Dict[str, Any]:
        """Send a request and return its answer, past other messages; raises RefusedError."""
        self.count += 1
        self.socket.send(json.dumps(dict(id=self.count, method=method, params=parameters)))
        while True:
            answer = json.loads(self.socket.recv())
            if answer.get("id") == self.count:
                if "error" in answer:
                    raise RefusedError(f"{method}: {answer['error']['message']}")
                result: Dict[str, Any] = answer["result"]
                return result

    def close(self) -> None:
        """End the connection."""
        self.socket.close()


def about(host: str, subject: str) -> Any:
    """A listening browser's answer about itself (subject "version") or about its pages ("list")."""
    with urllib.request.urlopen(f"http://{host}/json/{subject}") as answer:
        return json.load(answer)
