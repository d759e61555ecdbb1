"""A connection to a browser, or to one of its pages, by the DevTools protocol.

Source: https://chromedevtools.github.io/devtools-protocol/.
"""

import json
import urllib.request
from typing import Any, Dict

import websocket

ANSWER_SECONDS = 600


class RefusedError(Exception):
    """What a browser won't do, in its own words."""


class Connection:
    """One connection; a question is answered before the next one is asked."""

    def __init__(self, address: str) -> None:
        self.socket = websocket.create_connection(
            address, timeout=ANSWER_SECONDS, suppress_origin=True
        )
        self.sent = 0

    def ask(self, method: str, **parameters: Any) -> Dict[str, Any]:
        """Ask and wait for the answer, beside whatever else is told; raises RefusedError."""
        self.sent += 1
        self.socket.send(json.dumps(dict(id=self.sent, method=method, params=parameters)))
        while True:
            answer = json.loads(self.socket.recv())
            if answer.get("id") == self.sent:
                if "error" in answer:
                    raise RefusedError(f"{method}: {answer['error']['message']}")
                result: Dict[str, Any] = answer["result"]
                return result

    def close(self) -> None:
        """End the connection."""
        self.socket.close()


def about(host: str, what: str) -> Any:
    """What a browser that listens there says of itself (version) or of its pages (list)."""
    with urllib.request.urlopen(f"http://{host}/json/{what}") as answer:
        return json.load(answer)
